import type { CallControl } from '../../core/CallControl';
import { checkInput } from '../../core/checkInput';
import type { SwitchRequest, SwitchResult } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { noNote, type CallNote } from '../call/CallNote';
import { changeSession, newSession } from '../commands/changeSession';
import { inPlace } from '../commands/inPlace';
import type { Rules } from '../../input/SendQueue';
import { cancel } from './cancel';
import { checkSessionId } from './checkSessionId';
import { refuseToDisturb, type OpenWork } from './openWork';
import { whenSeen } from '../commands/whenSeen';

/** How long Chord may take to end the work that was cancelled, ms. */
const endOfWorkMs = 10_000;

/** What the queue of messages deals with while a request is open: after a wait, work that the answer led to is over. */
const leftToQueue: Record<SwitchRequest['whenRequestOpen'], OpenWork['kind'][]> = {
  fail: [],
  wait: ['request', 'work', 'waits'],
  skip: ['request', 'work', 'waits'],
  dismiss: ['request', 'waits'],
};

/** What is no reason once the place in the queue has come: the queue has seen to it, or it is this call itself. */
const seenToByQueue: OpenWork['kind'][] = ['request', 'work', 'waits', 'messages'];

/**
 * Begins a new session in the running process, or goes on with an earlier one, in a place of its own in the queue.
 * Refused while that would disturb somebody, unless forced; then running work is cancelled and open requests are
 * dismissed.
 */
export async function switchSession(
  core: SessionCore,
  { sessionId, whenRequestOpen, heldRequests, force }: SwitchRequest,
  control: CallControl,
  note: CallNote,
): Promise<SwitchResult> {
  if (sessionId !== '') checkSessionId(sessionId);
  await core.untilKnown;
  const what = 'The session was not changed';
  const isThere = (): boolean =>
    core.state.capabilities.session_switched === true && sessionId === core.state.sessionId;
  const same = (more: Partial<SwitchResult> = {}): SwitchResult => {
    const { sessionId: id } = core.state;
    return { previous_session_id: id, active_session_id: id, text: '', ...more };
  };
  if (isThere()) return same();
  if (!force) {
    const waits = core.state.ledger.open().length > 0;
    refuseToDisturb(core, what, waits ? leftToQueue[whenRequestOpen] : []);
  } else {
    // Work is not ended for a command that is refused then.
    checkInput(core);
    if (await cancel(core)) await whenSeen(core, () => !core.state.busy, endOfWorkMs);
  }
  const rules = {
    whenBusy: 'wait',
    whenRequestOpen: force ? 'dismiss' : whenRequestOpen,
    heldRequests,
    alone: true,
  } as const;
  const done = await inPlace(core, rules, control, note, async (carryOut) => {
    if (isThere()) return same();
    if (!force) refuseToDisturb(core, what, seenToByQueue);
    const command = sessionId === '' ? '/new' : `/resume ${sessionId}`;
    const { previous, now, text } = await changeSession(core, command, carryOut);
    const isTold = now !== previous || now === sessionId;
    return { previous_session_id: previous, active_session_id: isTold ? now : null, text };
  });
  return 'skipped' in done ? same({ skipped: done.skipped }) : done;
}

/**
 * Begins a new session once Chord is idle.
 *
 * @param isDue asked when no message of somebody else can come before it any more
 * @throws ChordError `request_open`: a message would dismiss what a person was asked
 */
export async function beginSession(core: SessionCore, isDue: () => boolean): Promise<void> {
  await core.untilKnown;
  const rules = { whenBusy: 'wait', whenRequestOpen: 'fail', heldRequests: [], alone: true } satisfies Rules;
  await inPlace(core, rules, {}, noNote, async (carryOut) => {
    if (isDue()) await newSession(core, carryOut);
  });
}
