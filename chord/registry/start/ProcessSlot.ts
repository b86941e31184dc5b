import { ChordError } from '../../errors';
import type { Transport } from '../../process/Transport';

/**
 * Room for one process: never two at a time, whatever is asked at the same moment. A start is shared by all who ask
 * while it runs; a stop ends a start too, and who asks during a stop gets a new process after it.
 */
export class ProcessSlot {
  private starting: Promise<void> | undefined;

  private stopping: Promise<void> | undefined;

  private transport: Transport | undefined;

  /** The process is up: its end fails no start any more. */
  private filled = false;

  /** How the process ended that was being brought up. */
  private lost: ChordError | undefined;

  private cancelled = false;

  private closed = false;

  constructor(private readonly key: string) {}

  /** A start is under way: nothing is known of the process yet. */
  get isStarting(): boolean {
    return this.starting !== undefined;
  }

  /** A process is not up yet: its end is the end of the start. */
  get isFilling(): boolean {
    return this.isStarting && !this.filled;
  }

  /** A process runs, or one is being started or stopped. */
  get isInUse(): boolean {
    return this.isStarting || this.stopping !== undefined || this.transport !== undefined;
  }

  get pid(): number | undefined {
    return this.transport?.pid;
  }

  /**
   * Returns when a process runs. `start` is called if there is none; it ends with {@link ProcessSlot.fill}.
   *
   * @returns true when this very call has started it
   * @throws the error of the start, the same one for all who share it
   */
  async ensure(start: () => Promise<void>): Promise<boolean> {
    while (this.stopping) await this.stopping;
    if (this.closed) throw this.interrupted('n8n is shutting down');
    if (this.starting) {
      await this.starting;
      return false;
    }
    if (this.transport) return false;
    this.starting = start().finally(() => {
      this.starting = undefined;
    });
    await this.starting;
    return true;
  }

  /**
   * Puts a process in and brings it up; on failure the slot is free again and the process gone.
   *
   * @param up called in the same moment from which on an end of the process is no failed start any more
   */
  async fill(
    transport: Transport,
    bringUp: (transport: Transport) => Promise<void>,
    up: () => void,
  ): Promise<void> {
    if (this.wasCancelled()) throw this.interrupted('it was stopped');
    this.transport = transport;
    this.filled = false;
    this.lost = undefined;
    try {
      await bringUp(transport);
      this.refuseLost();
      this.filled = true;
      up();
    } catch (error) {
      await transport.stop();
      this.transport = undefined;
      throw this.wasCancelled() ? this.interrupted('it was stopped', error) : error;
    }
  }

  /** Resolves when no start is under way any more, whatever came of it. */
  async settled(): Promise<void> {
    await this.starting?.catch(() => undefined);
  }

  /** The process has ended while it was brought up: whoever asked for the start gets this error. */
  lose(error: ChordError): void {
    this.lost = error;
  }

  /** The process has ended. */
  empty(): void {
    this.transport = undefined;
  }

  /** Ends the process, or the start that is under way; resolves when nothing of it is left. */
  stop(): Promise<void> {
    this.stopping ??= this.end().finally(() => {
      this.stopping = undefined;
    });
    return this.stopping;
  }

  /** As {@link ProcessSlot.stop}, and nothing is started any more. */
  close(): Promise<void> {
    this.closed = true;
    return this.stop();
  }

  /** Ends the process at once and synchronously, while this operating-system process exits. */
  killNow(): void {
    this.transport?.killNow();
  }

  private async end(): Promise<void> {
    this.cancelled = true;
    await this.transport?.stop();
    await this.starting?.catch(() => undefined);
    this.transport = undefined;
    this.cancelled = false;
  }

  /** A method, since the compiler does not see that the process may have ended meanwhile. */
  private refuseLost(): void {
    if (this.lost) throw this.lost;
  }

  /** A method, since the answer may change while something is awaited. */
  private wasCancelled(): boolean {
    return this.cancelled;
  }

  private interrupted(why: string, cause?: unknown): ChordError {
    return new ChordError('interrupted', `Chord was not started for session ${this.key}: ${why}.`, {
      cause,
      sessionKey: this.key,
    });
  }
}
