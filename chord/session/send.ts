import { checkMessage } from './checkMessage';
import type { CallControl, CallResult, SendRequest } from './contract';
import type { CallNote } from './control/CallNote';
import { Sending } from './Sending';
import type { SessionCore } from './SessionCore';
import { checkWait } from './wait';

/** Sends a message and waits as asked. */
export async function send(
  core: SessionCore,
  request: SendRequest,
  control: CallControl,
  note: CallNote,
): Promise<CallResult> {
  checkMessage(request);
  checkWait(core, request);
  return await new Sending(core, request, note).run(control);
}
