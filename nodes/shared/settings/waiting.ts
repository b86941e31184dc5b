import type { DecisionsMode, WaitFor, WaitRequest } from '../../../chord';
import type { WaitMode } from '../suspend/callSession';
import { readApprovalForm } from './approvalForm';
import type { ParameterReader } from './ParameterReader';

/** How a node waits, without the name of the call. */
export type WaitSettings = Omit<WaitRequest, 'callId'>;

/**
 * Reads the options that all waiting nodes have.
 *
 * @param options the collection that holds them: Send's `options`, a responder's `waitOptions`
 */
export const readWaiting = (waitFor: WaitFor, options: ParameterReader): WaitSettings => ({
  waitFor,
  timeoutMs:
    options.number('timeoutSeconds', 0, 'must be a number of seconds, 0 or more, where 0 means no limit') *
    1000,
  cancelOnTimeout: options.flag('cancelOnTimeout'),
  cancelOnStop: options.flag('cancelOnStop'),
  decisions: options.choice<DecisionsMode>('decisions', ['auto', 'return', 'leave']),
  ...readApprovalForm(options),
});

/** Whether the workflow keeps running while the node waits, or is suspended. */
export const readWaitMode = (options: ParameterReader): WaitMode =>
  options.choice<WaitMode>('waitMode', ['running', 'suspend']);
