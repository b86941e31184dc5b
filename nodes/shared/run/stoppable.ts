import type { IExecuteFunctions } from 'n8n-workflow';
import { registry } from './registry';

/** Makes a call that is ended when n8n stops the execution. */
export const stoppable = async <Result>(
  context: IExecuteFunctions,
  callId: string,
  call: () => Promise<Result>,
): Promise<Result> => {
  const signal = context.getExecutionCancelSignal();
  const cancel = (): void => void registry().cancelCall(callId);
  const result = call();
  signal?.addEventListener('abort', cancel, { once: true });
  // It may have been stopped while the session was opened.
  if (signal?.aborted) cancel();
  try {
    return await result;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
};
