import type { ClockTimer } from '../../../clock';
import type { SessionCore } from '../../core/SessionCore';

/** How long a local command may stay silent before Chord is asked whether it works on it. */
const silentCommandMs = 2000;

/**
 * Finds the end of a slash command on a Chord that gives no receipts: what it prints comes as `info`, `toast` or
 * `error` without any work, or nothing comes at all (measured).
 */
export class LocalOutput {
  private readonly lines: string[] = [];

  private failure = '';

  private readonly heard: Promise<void>;

  private hear: () => void = () => undefined;

  private idle: () => void = () => undefined;

  private readonly timer: ClockTimer;

  private readonly stop: () => void;

  constructor(
    private readonly core: SessionCore,
    /** What it prints ends nothing, since work may follow it (`/loop on`). */
    patient = false,
  ) {
    this.heard = new Promise<void>((resolve) => {
      this.hear = resolve;
    });
    this.timer = core.clock.after(silentCommandMs, () => this.hear());
    const watcher = (reading: { type: string; payload: { message?: unknown } }): void => {
      if (reading.type === 'idle') this.idle();
      const { message } = reading.payload;
      if (typeof message !== 'string' || message === '') return;
      if (reading.type === 'error') this.failure = message;
      else if (reading.type === 'info' || reading.type === 'toast') this.lines.push(message);
      else return;
      if (!patient || reading.type === 'error') this.hear();
    };
    core.watchers.add(watcher as Parameters<typeof core.watchers.add>[0]);
    this.stop = () => {
      this.timer.cancel();
      core.watchers.delete(watcher as Parameters<typeof core.watchers.delete>[0]);
    };
  }

  /** Resolves once the command has printed what it prints at once, whatever else goes on. */
  async printed(): Promise<void> {
    await this.heard;
    // Answered after everything that the command printed, since replies keep the order of the commands.
    await this.core.process.status();
  }

  /** Resolves once the command is over without a turn; never, if a turn began. */
  async quiet(began: () => boolean): Promise<void> {
    await this.printed();
    while (this.core.state.busy && !began()) await this.nextIdle();
    if (began()) await new Promise<never>(() => undefined);
  }

  /** Resolves at the next `idle`. */
  private nextIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idle = resolve;
    });
  }

  /** What was printed, in order. */
  get text(): string {
    return this.lines.join('\n');
  }

  /** The error that it ended with, or empty. */
  get error(): string {
    return this.failure;
  }

  dispose(): void {
    this.stop();
  }
}
