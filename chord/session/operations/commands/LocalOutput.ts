import { never } from '../call/never';
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

  /** Chord has printed something, or nothing for so long that it is to be asked. */
  private readonly answered: Promise<void>;

  private answer: () => void = () => undefined;

  private rest: () => void = () => undefined;

  private readonly timer: ClockTimer;

  private readonly stopWatching: () => void;

  constructor(
    private readonly core: SessionCore,
    /** What it prints ends nothing, since work may follow it (`/loop on`). */
    mayWork = false,
  ) {
    this.answered = new Promise<void>((resolve) => {
      this.answer = resolve;
    });
    this.timer = core.clock.after(silentCommandMs, () => this.answer());
    this.stopWatching = core.watch((reading) => {
      if (reading.type === 'idle') this.rest();
      if (reading.type !== 'error' && reading.type !== 'info' && reading.type !== 'toast') return;
      const { message } = reading.payload;
      if (message === '') return;
      if (reading.type === 'error') this.failure = message;
      else this.lines.push(message);
      if (!mayWork || reading.type === 'error') this.answer();
    });
  }

  /** Resolves once the command has printed what it prints at once, whatever else goes on. */
  async printed(): Promise<void> {
    await this.answered;
    // Answered after everything that the command printed, since replies keep the order of the commands.
    await this.core.connection.status();
  }

  /** Resolves once the command is over without a turn; never, if a turn began. */
  async untilOver(began: () => boolean): Promise<void> {
    await this.printed();
    while (this.core.state.busy && !began()) await this.nextIdle();
    if (began()) await never();
  }

  /** Resolves at the next `idle`. */
  private nextIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.rest = resolve;
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
    this.timer.cancel();
    this.stopWatching();
  }
}
