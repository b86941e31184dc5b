/**
 * Time as the engine sees it, so that a test can drive the engine without waiting.
 *
 * `after(0, …)` is a breath: other things (a line on stdin) may happen first, but no time passes.
 */
export interface Clock {
  now(): Date;
  /** Calls `run` once after `milliseconds`; the returned function takes that back. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(milliseconds, run) {
    if (milliseconds <= 0) {
      // The first turn ends before stdin is looked at again, the second one after it.
      let handle = setImmediate(() => {
        handle = setImmediate(run);
      });
      return () => clearImmediate(handle);
    }
    const handle = setTimeout(run, milliseconds);
    return () => clearTimeout(handle);
  },
};

/** Waits; ends early and gives `false` when `signal` is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = () => {
      cancel();
      resolve(false);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}
