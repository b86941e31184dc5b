import { ChordError } from '../../errors';
import type { CallControl, MessageRules, SendRequest, SwitchRequest, SwitchResult } from '../contract';
import { send } from '../send';
import type { SessionCore } from '../SessionCore';
import type { CallNote } from './CallNote';
import { refuseToDisturb, type OpenWork } from './openWork';
import { whenSeen } from './whenSeen';

/** How long Chord may take to end the work that was cancelled, and to tell of the new session, ms. */
const limits = { endOfWorkMs: 10_000, tellMs: 2000 };

/** What the queue of messages deals with while a request is open: after a wait, work that the answer led to is over. */
const leftToQueue: Record<SwitchRequest['whenRequestOpen'], OpenWork['kind'][]> = {
  fail: [],
  wait: ['request', 'work', 'waits'],
  skip: ['request', 'work', 'waits'],
  dismiss: ['request', 'waits'],
};

/** A slash command as a message of its own. */
export const slashMessage = (
  message: string,
  { whenRequestOpen, heldRequests }: Pick<MessageRules, 'whenRequestOpen' | 'heldRequests'>,
): SendRequest => ({
  message,
  allowCommands: true,
  whenBusy: 'wait',
  whenRequestOpen,
  loop: false,
  heldRequests,
  waitFor: 'turn',
  timeoutMs: 0,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'leave',
  callId: '',
});

/** An id goes into a slash command, where a dash in front would make it an option. */
function checkSessionId(id: string): void {
  if (id === '' || /^[^\s/-][^\s/]*$/.test(id)) return;
  throw new ChordError('invalid_settings', `"${id.slice(0, 80)}" is not a Chord session id.`, {
    description: 'Choose the session from the list, or type its id.',
  });
}

/**
 * Begins a new session in the running process, or goes on with an earlier one. Refused while that would disturb
 * somebody, unless forced; then running work is cancelled and open requests are dismissed.
 */
export async function switchSession(
  core: SessionCore,
  { sessionId, whenRequestOpen, heldRequests, force }: SwitchRequest,
  control: CallControl,
  note: CallNote,
): Promise<SwitchResult> {
  checkSessionId(sessionId);
  await core.known();
  const previous = core.state.sessionId;
  const tells = core.state.capabilities.session_switched === true;
  if (tells && sessionId === previous) {
    return { previous_session_id: previous, active_session_id: previous, text: '' };
  }
  if (!force) {
    const waits = core.state.ledger.open().length > 0;
    refuseToDisturb(core, 'The session was not changed', waits ? leftToQueue[whenRequestOpen] : []);
  } else if (await core.cancel()) {
    await whenSeen(core, () => !core.state.busy, limits.endOfWorkMs);
  }
  const command = sessionId === '' ? '/new' : `/resume ${sessionId}`;
  const message = slashMessage(command, {
    whenRequestOpen: force ? 'dismiss' : whenRequestOpen,
    heldRequests,
  });
  const call = await send(core, message, control, note).catch((error: unknown) => {
    core.working.expectResume('');
    throw error;
  });
  const result = call.kind === 'finished' ? call.result : undefined;
  if (result?.outcome === 'skipped') {
    return {
      previous_session_id: previous,
      active_session_id: previous,
      text: '',
      skipped: result.reason ?? '',
    };
  }
  await whenSeen(core, () => core.state.sessionId !== previous, limits.tellMs);
  const now = core.state.sessionId;
  return {
    previous_session_id: previous,
    active_session_id: now !== previous || now === sessionId ? now : null,
    text: result?.outcome === 'handled' ? result.text : '',
  };
}
