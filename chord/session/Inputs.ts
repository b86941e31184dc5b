import type { PayloadOf } from '../protocol/envelopes';

/** Chord's word on one message. */
export type Receipt = PayloadOf<'input_result'>;

interface Input {
  readonly preview: string;
  readonly receive: (receipt: Receipt) => void;
}

/**
 * Messages and answers whose outcome is not known yet. What is still here when the process ends is unknown for good:
 * it is counted, named to the next caller, and never sent again.
 */
export class Inputs {
  private readonly pending = new Map<string, Input>();

  private lost: string[] = [];

  /** Messages that were written and not heard of, now or when a process ended. */
  get unknown(): number {
    return this.lost.length;
  }

  /** True while Chord has not said, or shown, what it does with a message. */
  get open(): boolean {
    return this.pending.size > 0;
  }

  /** Notes a message that is about to be written. */
  add(id: string, content: string, receive: (receipt: Receipt) => void): void {
    this.pending.set(id, { preview: content.slice(0, 80), receive });
  }

  /** It was not written, or its outcome is known. */
  remove(id: string): void {
    this.pending.delete(id);
  }

  /** Takes in a receipt. */
  receipt(receipt: Receipt): void {
    const input = this.pending.get(receipt.request_id);
    this.pending.delete(receipt.request_id);
    input?.receive(receipt);
  }

  /** Work was seen on a Chord that gives no receipts: it has taken what was written. */
  workSeen(): void {
    this.pending.clear();
  }

  /** The process is gone. */
  exit(): void {
    for (const { preview } of this.pending.values()) this.lost.push(`"${preview}"`);
    this.pending.clear();
  }

  /** An answer was on its way when the process ended. */
  loseAnswer(requestId: string): void {
    this.lost.push(`the answer to request ${requestId}`);
  }

  /** Names what is unknown and forgets it: whoever opens the session again has been told. */
  takeLost(): string[] {
    const { lost } = this;
    this.lost = [];
    return lost;
  }
}
