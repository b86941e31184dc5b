import { runProgram } from './runProgram';

/** One program that is needed to compile sqlite3, and how to tell that it is there. */
const TOOLS: { name: string; anyOf: string[]; debian: string }[] = [
  { name: 'Python 3', anyOf: ['python3', 'python'], debian: 'python3' },
  { name: 'make', anyOf: ['make', 'gmake'], debian: 'make' },
  { name: 'a C++ compiler', anyOf: ['c++', 'g++', 'clang++'], debian: 'g++' },
];

const runs = async (command: string) => (await runProgram(command, ['--version'])).exitCode === 0;

/** The names of the programs that are missing to compile sqlite3 here; empty if it can be compiled. */
export async function missingBuildTools(): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const present = await Promise.all(
    TOOLS.map(async (tool) => (await Promise.all(tool.anyOf.map(runs))).some(Boolean)),
  );
  return TOOLS.filter((_, index) => !present[index]).map((tool) => tool.name);
}

/** One sentence that says how to get them. */
export function howToGetBuildTools(): string {
  if (process.platform === 'darwin') return 'Install Apple’s command line tools: xcode-select --install';
  return `Install them, on Debian or Ubuntu for example: sudo apt-get install ${TOOLS.map((tool) => tool.debian).join(' ')}`;
}
