import type { Runtime } from './runtime';

/** A message on its way to the main agent: from a person, or from a job or SubAgent that wakes it. */
export interface Input {
  content: string;
  /** Empty where nobody asked for a receipt. */
  requestId: string;
  fromUser: boolean;
  /** Told once the message is in the conversation. */
  absorbed?: () => void;
}

/** An input that no person wrote. */
export const ofItself = (content: string): Input => ({ content, requestId: '', fromUser: false });

/** What a receipt says about an input. */
export type ReceiptStatus = 'handled' | 'queued' | 'started' | 'rejected';

/**
 * Tells what became of an input, where the build tells it and the input has an id, and notes it in the record.
 *
 * Not measured: no build with receipts was run; status, order and fields follow the sources, the messages are made up.
 */
export function receipt(
  runtime: Runtime,
  input: Pick<Input, 'content' | 'requestId'>,
  status: ReceiptStatus,
  more: { turn_id?: number; message?: string } = {},
): void {
  runtime.record({ kind: 'input', content: input.content, request_id: input.requestId, status });
  if (!runtime.profile.receipts || !input.requestId) return;
  runtime.out.push('input_result', { request_id: input.requestId, status, ...more });
}
