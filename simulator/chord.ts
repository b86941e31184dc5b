import { appendFileSync } from 'node:fs';
import { systemClock } from './clock';
import { loadAgents } from './config/agents';
import { loadConfig } from './config/loadConfig';
import { configHome, locateProject } from './disk/locations';
import { registerProject } from './disk/project';
import { Sessions } from './disk/Sessions';
import { Engine } from './Engine';
import { parseFlags, parseHeadless, type Arguments } from './process/arguments';
import { LineCutter } from './process/LineCutter';
import { awaitMcp } from './process/mcp';
import { watchParent } from './process/parent';
import { enterWorktree } from './process/worktree';
import type { Recorder } from './record';
import { loadScenario } from './scenario/load';
import { killShells } from './tools/shell';
import { profileNamed } from './wire/profile';

/** What `--version` says. */
const VERSION = 'chord version simulator';

const HELP = 'Run chord without TUI (stdio JSON protocol)\n\nUsage:\n  chord headless [flags]';

const tell = (line: string) => process.stderr.write(`${line}\n`);

function changeDirectory(directory: string): void {
  if (!directory) return;
  try {
    process.chdir(directory);
  } catch (error) {
    const reason: Record<string, string> = {
      ENOENT: 'no such file or directory',
      ENOTDIR: 'not a directory',
      EACCES: 'permission denied',
    };
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(`change to session-dir "${directory}": chdir ${directory}: ${reason[code] ?? code}`);
  }
}

function recorder(file: string | undefined): Recorder | undefined {
  if (!file) return undefined;
  return (entry) =>
    appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), pid: process.pid, ...entry })}\n`);
}

const pad = (value: number) => String(value).padStart(2, '0');

function logStamp(at: Date): string {
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

async function open(args: Arguments): Promise<Engine> {
  Object.assign(process.env, args.environment);
  const env = process.env;
  const profile = profileNamed(env.CHORD_SIMULATOR_PROFILE);
  const scenario = loadScenario(env.CHORD_SIMULATOR_SCENARIO);
  const record = recorder(env.CHORD_SIMULATOR_RECORD);
  changeDirectory(args.directory);
  const worktree =
    args.worktree === undefined ? undefined : enterWorktree(process.cwd(), args.worktree, env, tell);
  if (worktree) process.chdir(worktree.path);
  if (args.start === 'both') throw new Error('--continue and --resume are mutually exclusive');
  const home = configHome(env);
  const location = locateProject(process.cwd(), env);
  const config = loadConfig(home, location.root);
  for (const problem of config.problems) tell(`[W ${logStamp(new Date())} config:1423] ${problem}`);
  const agents = loadAgents(home, location.root);
  registerProject(location, new Date());
  const sessions = new Sessions(location.sessionsDir, location.root, () => new Date());
  const started = sessions.start(args.start);
  await Promise.all(Object.values(config.mcp).map((server) => awaitMcp(server, systemClock)));
  return new Engine({
    profile,
    clock: systemClock,
    place: { project: location.root, configHome: home, config, agents, ...(worktree ? { worktree } : {}) },
    sessions,
    started,
    scenario,
    write: (line) => process.stdout.write(`${line}\n`),
    ...(record ? { record } : {}),
  });
}

async function headless(args: string[]): Promise<void> {
  const parsed = parseHeadless(args);
  if (parsed === 'help') {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  const engine = await open(parsed);
  const leave = (reason: string) => {
    engine.stop(reason);
    killShells();
    process.exit(0);
  };
  const cutter = new LineCutter(
    (line) => engine.receive(line),
    (limit) => engine.receiveTooLong(limit),
  );
  process.on('SIGTERM', () => leave('SIGTERM'));
  process.on('SIGINT', () => leave('SIGINT'));
  // Not measured: what Chord does when nobody can read it any more.
  process.stdout.on('error', () => leave('stdout closed'));
  watchParent(() => leave('parent gone'));
  engine.start();
  process.stdin.on('data', (chunk: Buffer) => cutter.push(chunk));
  process.stdin.on('end', () => {
    cutter.end();
    leave('stdin closed');
  });
}

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === '--version' || command === '-v') process.stdout.write(`${VERSION}\n`);
  else if (command === 'headless') await headless(rest);
  else if (command?.startsWith('-')) {
    parseFlags([command, ...rest]);
    throw new Error('the simulator has no terminal program; use "chord headless"');
  } else if (command) throw new Error(`unknown command "${command}" for "chord"`);
  else throw new Error('the simulator has no terminal program; use "chord headless"');
}

main().catch((error: unknown) => {
  tell(`Error: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
