import { spawn, type ChildProcess } from 'node:child_process';

/** How a program ended. */
export interface ProgramResult {
  /** `null` if it was killed or could not be started. */
  exitCode: number | null;
  stdout: string;
  /** stdout and stderr as they came. */
  all: string;
}

/** Programs at work, which do not survive this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Runs a program to its end and collects what it prints. Never rejects: a program that cannot be started gives the
 * reason in `all`. (Plain `spawn`, because execa is an ES module: tsx and jest load these files as CommonJS.)
 */
export function runProgram(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    running.add(child);
    child.on('exit', () => running.delete(child));
    let stdout = '';
    let all = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text));
    child.on('error', (error) => resolve({ exitCode: null, stdout, all: all || error.message }));
    child.on('close', (exitCode) => resolve({ exitCode, stdout, all }));
  });
}
