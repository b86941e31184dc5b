import type { Clock } from '../clock';

/** Waits for a promise for at most `ms`; tells whether it was fulfilled in time. */
export async function within(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    const timer = clock.after(ms, () => resolve(false));
    cancel = () => timer.cancel();
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    cancel();
  }
}
