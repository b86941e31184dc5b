import type { Clock, ClockTimer } from '../clock';

/** Waits for a promise for at most `ms`; resolves to whether it was fulfilled in time. */
export async function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  let timer: ClockTimer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = clock.after(ms, () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}
