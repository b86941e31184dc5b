import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a stopping group is looked at, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** Groups that were started here and are not known to be gone. */
const running = new Set<ProcessGroup>();

/** A program with everything that it starts, so that all of it can be stopped together. */
export class ProcessGroup {
  /** Settles with the exit code (`null`: killed by a signal) when the program itself has ended. */
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(command: string, args: string[], options: SpawnOptions) {
    this.#child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
    this.exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve(null));
      this.#child.once('exit', (code) => resolve(code));
    });
    running.add(this);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the program itself has ended. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Asks the program to end, waits that long (milliseconds), then kills what is left of its group. */
  async stop(graceMs = 15_000): Promise<void> {
    if (!this.ended) this.#child.kill('SIGTERM');
    const deadline = Date.now() + graceMs;
    while (this.#groupAlive() && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
    this.killNow();
    await this.exited;
  }

  /** The end without a chance to tidy up: when this process itself is going. */
  killNow(): void {
    running.delete(this);
    if (!this.pid) return;
    if (process.platform === 'win32') {
      spawnSync('taskkill', ['/pid', String(this.pid), '/t', '/f']);
      return;
    }
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left, which is what we want.
    }
  }

  #groupAlive(): boolean {
    if (!this.pid || process.platform === 'win32') return !this.ended;
    try {
      process.kill(-this.pid, 0);
      return true;
    } catch {
      return false;
    }
  }
}

/** Nothing of what was started survives this process, however it ends (but for a `SIGKILL`). */
process.on('exit', () => {
  for (const group of running) group.killNow();
});
