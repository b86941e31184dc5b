import type { SendRequest } from '../../contract';

/** A message as it is sent when nothing else is said: in its turn, never past an open request, and waited for. */
export const sendRequest = (message: string, overrides: Partial<SendRequest> = {}): SendRequest => ({
  message,
  whenBusy: 'wait',
  whenRequestOpen: 'fail',
  allowCommands: false,
  loop: false,
  heldRequests: [],
  waitFor: 'turn',
  timeoutMs: 0,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'leave',
  callId: '',
  ...overrides,
});
