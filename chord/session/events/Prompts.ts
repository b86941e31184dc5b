import type { Reading } from '../../protocol/envelopes';
import type { LedgerEntry } from '../state/Ledger';

/** Finds the request that a prompt of Chord's repeats: each pushed one has one prompt, the first after it. */
export class Prompts {
  /** Open requests that Chord may still push together with a prompt. */
  private readonly unprompted = new Set<string>();

  /** Open requests that were pushed and whose prompt has not come yet, in the order in which they were pushed. */
  private readonly expected = new Set<string>();

  /** A request has opened. A durable question has no such prompt. */
  opened({ protocol, request }: LedgerEntry): void {
    if (protocol !== 'C') this.unprompted.add(request.id);
  }

  closed(requestId: string): void {
    this.unprompted.delete(requestId);
    this.expected.delete(requestId);
  }

  /**
   * Chord pushed a request: its prompt follows. One that only a status showed has none to come, so that the next prompt
   * is about something else.
   */
  expect(requestId: string): void {
    if (this.unprompted.delete(requestId)) this.expected.add(requestId);
  }

  /** The request that a `notification` prompts for, which has no other prompt to come then. */
  consume(reading: Reading | undefined): string | undefined {
    if (reading?.type !== 'notification' || reading.payload.reason !== 'user_input_required')
      return undefined;
    const [first] = this.expected;
    if (first !== undefined) this.expected.delete(first);
    return first;
  }
}
