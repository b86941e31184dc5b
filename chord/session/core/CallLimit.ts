import type { Clock } from '../../clock';
import type { ChordError } from '../../errors';

/** What ended a wait from outside. */
export type LimitKind = 'timeout' | 'interrupted';

/** What limits a call. */
export interface Limits {
  /** From now on; 0 is without limit. */
  timeoutMs: number;
  /** The caller's stop signal. */
  signal: AbortSignal | undefined;
  /** Asked when the wait ends, since what there is to say (was it written?) is only known then. */
  error(kind: LimitKind): ChordError;
}

/** A call's time limit and its caller's stop signal in one. */
export class CallLimit {
  /** Never resolves; rejects when the time is over or the caller stops. */
  private readonly over: Promise<never>;

  private end: (kind: LimitKind) => void = () => undefined;

  private readonly stop: () => void;

  constructor(clock: Clock, limits: Limits) {
    const { timeoutMs, signal } = limits;
    this.over = new Promise<never>((_, reject) => {
      this.end = (kind) => reject(limits.error(kind));
    });
    this.over.catch(() => undefined);
    const timer = timeoutMs > 0 ? clock.after(timeoutMs, () => this.end('timeout')) : undefined;
    const aborted = (): void => this.interrupt();
    if (signal?.aborted) aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    this.stop = () => {
      timer?.cancel();
      signal?.removeEventListener('abort', aborted);
    };
  }

  /** The promise, or the limit's error if that comes first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.over]);
  }

  /** Ends the wait from a third side, e.g. when n8n shuts down. */
  interrupt(): void {
    this.end('interrupted');
  }

  /** No limit any longer. */
  dispose(): void {
    this.stop();
  }
}
