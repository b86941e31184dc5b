import type { PayloadOf } from '../protocol/envelopes';

/** Chord's word on one message. */
export type Receipt = PayloadOf<'input_result'>;

interface Input {
  readonly preview: string;
  readonly receive: (receipt: Receipt) => void;
  /** Work was seen since, so that Chord has it; its receipt may still come. */
  heard: boolean;
}

/** Messages that Chord has and whose receipt may still come; older ones have had time enough. */
const heardKept = 50;

/**
 * Messages and answers whose outcome is not known yet. What is still here when the process ends is unknown for good:
 * it is counted, named to the next caller, and never sent again.
 */
export class Inputs {
  private readonly pending = new Map<string, Input>();

  private readonly lost = new Map<string, string>();

  /** Messages and answers that were written and not heard of when a process ended. */
  get unknown(): number {
    return this.lost.size;
  }

  /** True while Chord has not said, or shown, what it does with a message. */
  get open(): boolean {
    return [...this.pending.values()].some(({ heard }) => !heard);
  }

  /** Notes a message that is about to be written. */
  add(id: string, content: string, receive: (receipt: Receipt) => void): void {
    this.pending.set(id, { preview: content.slice(0, 80), receive, heard: false });
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

  /** Work was seen on a Chord that is not known to give receipts: it has taken what was written. */
  workSeen(): void {
    if (this.pending.size === 0) return;
    for (const input of this.pending.values()) input.heard = true;
    for (const id of [...this.pending.keys()].slice(0, -heardKept)) this.pending.delete(id);
  }

  /** The process is gone. */
  exit(): void {
    for (const [id, { preview, heard }] of this.pending) {
      if (!heard) this.lost.set(id, `the message "${preview}"`);
    }
    this.pending.clear();
  }

  /** An answer was on its way when the process ended. */
  loseAnswer(requestId: string): void {
    this.lost.set(requestId, `the answer to request ${requestId}`);
  }

  /** It turned out that the answer was never written, or what became of it. */
  findAnswer(requestId: string): void {
    this.lost.delete(requestId);
  }

  /** Names what is unknown and forgets it: whoever opens the session again has been told. */
  takeLost(): string[] {
    const lost = [...this.lost.values()];
    this.lost.clear();
    return lost;
  }
}
