import type { PayloadOf } from '../protocol/envelopes';

/** Chord's word on one message. */
export type Receipt = PayloadOf<'input_result'>;

interface Input {
  readonly preview: string;
  readonly receive: (receipt: Receipt) => void;
}

/** Messages that Chord has and whose receipt may still come; older ones have had time enough. */
const heardKept = 50;

/**
 * Messages and answers whose outcome is not known yet. What is still here when the process ends is unknown for good:
 * it is counted, named to the next caller, and never sent again.
 */
export class Inputs {
  /** Nothing has been said or shown of them. */
  private readonly pending = new Map<string, Input>();

  /** Work was seen since, so that Chord has them; their receipts may still come. */
  private readonly heard = new Map<string, Input>();

  private readonly lost = new Map<string, string>();

  private readonly unreported: string[] = [];

  /** @param masked takes secrets out of a text: previews stand in items and errors */
  constructor(private readonly masked: (text: string) => string = (text) => text) {}

  /** Messages and answers that were written and not heard of when a process ended. */
  get unknown(): number {
    return this.lost.size;
  }

  /** What they are, for people: on one line each. */
  get unknownNames(): string[] {
    return [...this.lost.values()].map((name) => name.replace(/\s+/g, ' '));
  }

  /** True while Chord has not said, or shown, what it does with a message. */
  get open(): boolean {
    return this.pending.size > 0;
  }

  /** Notes a message that is about to be written. */
  add(id: string, content: string, receive: (receipt: Receipt) => void): void {
    this.pending.set(id, { preview: this.masked(content).slice(0, 80), receive });
  }

  /** It was not written, or its outcome is known. */
  remove(id: string): void {
    this.pending.delete(id);
    this.heard.delete(id);
  }

  /** Takes in a receipt. */
  receipt(receipt: Receipt): void {
    const id = receipt.request_id;
    const input = this.pending.get(id) ?? this.heard.get(id);
    this.remove(id);
    input?.receive(receipt);
  }

  /** Work was seen on a Chord that is not known to give receipts: it has taken what was written. */
  workSeen(): void {
    if (this.pending.size === 0) return;
    for (const [id, input] of this.pending) this.heard.set(id, input);
    this.pending.clear();
    for (const id of [...this.heard.keys()].slice(0, -heardKept)) this.heard.delete(id);
  }

  /** The process is gone. */
  exit(): void {
    for (const [id, { preview }] of this.pending) this.lost.set(id, `the message "${preview}"`);
    this.pending.clear();
    this.heard.clear();
  }

  /** An answer was on its way when the process ended. */
  loseAnswer(requestId: string): void {
    this.lost.set(requestId, `the answer to request ${requestId}`);
  }

  /** It turned out that the answer was never written, or what became of it. */
  findAnswer(requestId: string): void {
    this.lost.delete(requestId);
  }

  /** A process runs again: what is unknown is told with the next result, and is no longer counted. */
  report(): void {
    this.unreported.push(...this.lost.values());
    this.lost.clear();
  }

  /** What was unknown when a process ended, in sentences; told once. */
  takeWarnings(): string[] {
    return this.unreported
      .splice(0)
      .map((lost) => `Chord ended before, and it is unknown what became of ${lost}.`);
  }
}
