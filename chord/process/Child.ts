import type { Clock } from '../clock';
import { groupLives, signalGroup } from './processGroup';
import { spawnProgram, type Launch, type SpawnedProgram } from './spawnProgram';
import { within } from './within';

/** How a process ended. */
export interface ExitStatus {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/** How long each step of the stop routine waits before the next, in milliseconds. */
export interface StopGraces {
  /** After stdin was closed, which is all that Chord needs (measured: exit 0 at once). */
  afterStdin: number;
  /** After SIGTERM to the group. */
  afterTerm: number;
}

/** For a Chord that has said `ready`. */
const usualGraces: StopGraces = { afterStdin: 2000, afterTerm: 3000 };

/** For one that never came up and so has nothing to save. */
export const shortGraces: StopGraces = { afterStdin: 0, afterTerm: 1000 };

/** How long we wait for what SIGKILL does at once, unless the system itself hangs. */
const afterKill = 2000;

/** What a program leaves behind in its group gets this long between SIGTERM and SIGKILL. */
const leftoverGrace = 500;

const leftoverPoll = 25;

/** One child process with its process group: its end, and how it is brought about. Knows nothing of Chord. */
export class Child {
  readonly program: SpawnedProgram;

  /** How it ended, once it has. */
  status: ExitStatus | undefined;

  /** True once the stop routine had to send a signal. */
  signalled = false;

  /**
   * Resolves when the process has ended, its last output was read, and what it left in its group was ended too.
   * Never rejects.
   */
  readonly gone: Promise<void>;

  private stopping: Promise<void> | undefined;

  /** The whole group was sent SIGKILL: there is nothing more to do for it. */
  private killed = false;

  /** Once it is gone its number may belong to somebody else, so no signal is sent any more. */
  private isGone = false;

  constructor(
    private readonly launch: Launch,
    private readonly clock: Clock,
  ) {
    this.program = spawnProgram(launch);
    // The last output can come after `exit`: only `close` is the end. A program that could not be started has neither.
    const closed = new Promise<void>((resolve) => {
      this.program.once('close', () => resolve());
      void this.program.spawnError.then((error) => error && resolve());
    });
    const swept = new Promise<void>((resolve) => {
      this.program.once('exit', (exitCode, signal) => {
        this.status = { exitCode, signal };
        void this.sweep(closed).then(resolve);
      });
      void this.program.spawnError.then((error) => error && resolve());
    });
    this.gone = Promise.all([closed, swept]).then(() => {
      this.isGone = true;
    });
  }

  /**
   * The one stop routine: close stdin, SIGTERM to the group, SIGKILL to the group. Resolves when the process is gone,
   * and in any case some seconds after SIGKILL. Calling it again waits for the same end.
   */
  stop(graces: StopGraces = usualGraces): Promise<void> {
    this.stopping ??= this.runStop(graces);
    return this.stopping;
  }

  /** Ends the group at once and synchronously: for the last moment of n8n's own process. */
  killNow(): void {
    this.signal('SIGKILL');
  }

  private async runStop(graces: StopGraces): Promise<void> {
    if (this.isGone) return;
    this.program.stdin.end();
    if (graces.afterStdin > 0 && (await this.goneWithin(graces.afterStdin))) return;
    this.signalled ||= this.status === undefined;
    this.signal('SIGTERM');
    if (await this.goneWithin(graces.afterTerm)) return;
    this.signal('SIGKILL');
    if (await this.goneWithin(afterKill)) return;
    this.abandonPipes();
  }

  /** After the process's own end: nothing that it started may outlive it. */
  private async sweep(closed: Promise<void>): Promise<void> {
    if (!this.killed && this.groupLives()) {
      this.signal('SIGTERM');
      // Polled, since nothing reports the end of a grandchild.
      for (let waited = 0; waited < leftoverGrace && this.groupLives(); waited += leftoverPoll) {
        await new Promise<void>((resolve) => this.clock.after(leftoverPoll, resolve));
      }
      this.signal('SIGKILL');
    }
    // Somebody outside of the group can still hold our pipes open, and would keep `close` back for ever.
    if (!(await within(closed, afterKill, this.clock))) this.abandonPipes();
  }

  private abandonPipes(): void {
    const { stdin, stdout, stderr } = this.program;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid } = this.program;
    this.killed ||= signal === 'SIGKILL';
    if (pid !== undefined && !this.isGone) signalGroup(pid, signal, this.launch.platform);
  }

  private groupLives(): boolean {
    const { pid } = this.program;
    return pid !== undefined && groupLives(pid, this.launch.platform);
  }

  private goneWithin(ms: number): Promise<boolean> {
    return within(this.gone, ms, this.clock);
  }
}
