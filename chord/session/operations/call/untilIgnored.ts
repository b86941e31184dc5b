import type { SessionCore } from '../../core/SessionCore';
import { never } from './never';

/** How long a message may go without any work before its place in the queue is given free, ms. */
const takeUpMs = 5000;

/**
 * Resolves when Chord does not work on a message that nobody waits for: after a while, and a status that is not
 * busy. Never, once its turn began.
 */
export async function untilIgnored(core: SessionCore, began: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => core.clock.after(takeUpMs, resolve));
  if (core.isRunning() && !began()) await core.connection.status();
  if (began() || core.state.busy) await never();
}
