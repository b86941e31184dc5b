import { ChordError } from '../../../errors';
import type { WaitRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import type { TurnWaiter } from '../../turns/TurnWaiter';
import { cancel } from '../control/cancel';

/** Cancels the turn of a wait that ended early, where its caller asked for that; never a turn that is not known to be its own. */
export async function cancelIfAsked(
  core: SessionCore,
  { cancelOnTimeout, cancelOnStop }: Pick<WaitRequest, 'cancelOnTimeout' | 'cancelOnStop'>,
  error: unknown,
  wait: TurnWaiter | undefined,
): Promise<void> {
  if (!ChordError.is(error)) return;
  const asked =
    (error.code === 'timeout' && cancelOnTimeout) || (error.code === 'interrupted' && cancelOnStop);
  const { running } = core.turns;
  const isOwn = running !== undefined && wait?.hasTurn === true && wait.turn === running;
  if (asked && isOwn) await cancel(core).catch(() => undefined);
}
