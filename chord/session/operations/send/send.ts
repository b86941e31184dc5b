import type { CallControl } from '../../core/CallControl';
import { checkMessage } from './checkMessage';
import type { CallResult, SendRequest } from '../../contract';
import type { CallNote } from '../call/CallNote';
import { Sending, type FirstMessage } from './Sending';
import type { SessionCore } from '../../core/SessionCore';
import { checkWait } from '../call/wait';

/** Sends a message and waits as asked; as the first one of a new session where `first` is given. */
export async function send(
  core: SessionCore,
  request: SendRequest,
  control: CallControl,
  note: CallNote,
  first?: FirstMessage,
): Promise<CallResult> {
  checkMessage(request);
  checkWait(request);
  return await new Sending(core, request, note, first).run(control);
}
