import type { Readable, Writable } from 'node:stream';
import { execa, execaSync } from 'execa';

/** What to start: everything is decided before. */
export interface Launch {
  /** Full path. */
  program: string;
  args: string[];
  /** `undefined`: where n8n runs. */
  directory: string | undefined;
  /** The whole environment; nothing else is inherited. */
  environment: Record<string, string>;
  platform: NodeJS.Platform;
}

/** A program that was started, or could not be. */
export interface SpawnedProgram {
  /** `undefined` if it could not be started. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves with the reason if the system refused to start it, else with `undefined` after its end. */
  readonly spawnError: Promise<NodeJS.ErrnoException | undefined>;
  once(
    event: 'exit' | 'close',
    call: (exitCode: number | null, signal: NodeJS.Signals | null) => void,
  ): unknown;
}

/**
 * Starts a program: no shell, no inherited environment, its own process group, its streams left to us. The only use
 * of execa.
 */
export function spawnProgram(launch: Launch): SpawnedProgram {
  const subprocess = execa(launch.program, launch.args, {
    cwd: launch.directory,
    env: launch.environment,
    extendEnv: false,
    shell: false,
    // A group of its own, so that what the agent started can be ended with it. On Windows it would open a console.
    detached: launch.platform !== 'win32',
    windowsHide: true,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    cleanup: false,
    forceKillAfterDelay: false,
  });
  const { pid, stdin, stdout, stderr } = subprocess;
  const spawnError = subprocess.then((result) =>
    pid === undefined ? ((result.cause ?? result) as NodeJS.ErrnoException) : undefined,
  );
  return { pid, stdin, stdout, stderr, spawnError, once: (event, call) => subprocess.once(event, call) };
}

/** Ends a process of Windows with all that it started; a signal would reach only itself. */
export function killWindowsTree(pid: number): void {
  execaSync('taskkill', taskkillArguments(pid), { reject: false, stdio: 'ignore', windowsHide: true });
}

/** `/T`: with its children; `/F`: a program without a window cannot be asked. */
export const taskkillArguments = (pid: number): string[] => ['/pid', String(pid), '/T', '/F'];
