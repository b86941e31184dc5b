import type { SessionCore } from '../../core/SessionCore';

/** Resolves once the condition holds after an envelope, or when the time is over. */
export async function whenSeen(core: SessionCore, condition: () => boolean, limitMs: number): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const over = (): void => {
      stop();
      timer.cancel();
      resolve();
    };
    const timer = core.clock.after(limitMs, over);
    const stop = core.watch(() => {
      if (condition()) over();
    });
  });
}
