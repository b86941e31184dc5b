import type { SessionCore } from '../../core/SessionCore';
import { endedByCancel } from '../../state/requestTransitions';

/**
 * Cancels the running turn. Not written while nothing runs: it would spoil the next turn's outcome (measured).
 *
 * @returns whether anything ran
 */
export async function cancel(core: SessionCore): Promise<boolean> {
  if (!core.state.busy) return false;
  core.turns.running?.noteCancel();
  const ended = endedByCancel(core.state);
  await core.connection.issue({ type: 'cancel' }, 'untracked').written;
  core.requests.cancelAll(ended);
  return true;
}
