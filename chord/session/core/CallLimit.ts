import type { Clock } from '../../clock';
import { ChordError } from '../../errors';

/** What ended a wait from outside. */
export type LimitKind = 'timeout' | 'interrupted';

/**
 * A call's time limit and its caller's stop signal in one. `error` is asked when it ends, since what there is to say
 * (was it written?) is only known then.
 */
export class CallLimit {
  /** Never resolves; rejects when the time is over or the caller stops. */
  readonly over: Promise<never>;

  private reject: (error: ChordError) => void = () => undefined;

  private readonly stop: () => void;

  constructor(
    clock: Clock,
    /** From now on; 0 is without limit. */
    timeoutMs: number,
    private readonly signal: AbortSignal | undefined,
    private readonly error: (kind: LimitKind) => ChordError,
  ) {
    this.over = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    this.over.catch(() => undefined);
    const timer =
      timeoutMs > 0 ? clock.after(timeoutMs, () => this.reject(this.error('timeout'))) : undefined;
    const aborted = (): void => this.reject(this.error('interrupted'));
    if (signal?.aborted) aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    this.stop = () => {
      timer?.cancel();
      this.signal?.removeEventListener('abort', aborted);
    };
  }

  /** The promise, or the limit's error if that comes first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.over]);
  }

  /** Ends the wait from a third side, e.g. when n8n shuts down. */
  interrupt(): void {
    this.reject(this.error('interrupted'));
  }

  /** No limit any longer. */
  dispose(): void {
    this.stop();
  }
}
