import { setTimeout as sleep } from 'node:timers/promises';

/** How long a condition is waited for, and how often it is looked at, in milliseconds. */
export interface UntilOptions {
  limitMs?: number;
  everyMs?: number;
  /** What is waited for, for the error. */
  what?: string;
}

const optionsOf = (options: UntilOptions | string): UntilOptions =>
  typeof options === 'string' ? { what: options } : options;

/**
 * Waits until `probe` gives something, and gives that: for conditions that nobody announces. Rejects after the
 * limit, so that a test fails with words instead of hanging.
 */
export async function until<T>(
  probe: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  options: UntilOptions | string = {},
): Promise<T> {
  const { limitMs = 60_000, everyMs = 25, what = probe.toString() } = optionsOf(options);
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs / 1000} s: ${what}`);
    await sleep(everyMs);
  }
}
