import { ChordError } from '../../errors';
import type { PayloadOf, Reading } from '../../protocol/envelopes';
import type { UnknownInputDocument } from '../contract';
import { isWork } from '../turns/Turn';
import { cut } from '../text/cut';

/** Chord's word on one message. */
export type Receipt = PayloadOf<'input_result'>;

interface Lost extends UnknownInputDocument {
  /** Chord itself does not know: no later process will, so only a person's word ends it. */
  byChord: boolean;
}

interface Input {
  readonly preview: string;
  readonly receive: (receipt: Receipt) => void;
}

/** What the inputs need of the session around them. */
export interface UnconfirmedInputsDeps {
  /** The time as it stands in items. */
  now(): string;
  /** Takes secrets out of a text: previews stand in items and errors. */
  masked(text: string): string;
}

/** So much of a message names it to people. */
const previewLength = 80;

/** Messages that Chord has and whose receipt may still come; older ones have had time enough. */
const acceptedKept = 50;

/**
 * Messages and answers whose outcome is not known yet. What is still here when the process ends is unknown for good, and
 * so is a message of which Chord says so: it is counted, named to the next caller, and never sent again.
 */
export class UnconfirmedInputs {
  /** Nothing has been said or shown of them. */
  private readonly pending = new Map<string, Input>();

  /** Work was seen since, so that Chord has accepted them; their receipts may still come. */
  private readonly accepted = new Map<string, Input>();

  private readonly lost = new Map<string, Lost>();

  /** Texts of inputs that no result has named yet. */
  private readonly warnings: string[] = [];

  constructor(private readonly deps: UnconfirmedInputsDeps) {}

  /** Messages and answers that were written and not heard of when a process ended, or that Chord knows nothing of. */
  get unknown(): number {
    return this.lost.size;
  }

  /** What they are, for people: on one line each. */
  get unknownNames(): string[] {
    return [...this.lost.values()].map(({ text }) => text.replace(/\s+/g, ' '));
  }

  /** The same as they stand in Status, the oldest first. */
  get unknownList(): UnknownInputDocument[] {
    return [...this.lost.values()].map(({ kind, request_id, text, since }) => ({
      kind,
      request_id,
      text,
      since,
    }));
  }

  /** True while Chord has not said, or shown, what it does with a message. */
  get open(): boolean {
    return this.pending.size > 0;
  }

  /** Notes a message that is about to be written. */
  add(id: string, content: string, receive: (receipt: Receipt) => void): void {
    this.pending.set(id, { preview: cut(this.deps.masked(content), previewLength), receive });
  }

  /** It was not written, or its outcome is known. */
  remove(id: string): void {
    this.pending.delete(id);
    this.accepted.delete(id);
  }

  /**
   * Takes in one envelope.
   *
   * @param receipts whether this Chord gives them; `null` while that is not known
   */
  accept(reading: Reading, receipts: boolean | null): void {
    if (reading.type === 'input_result') this.receipt(reading.payload);
    else if (isWork(reading) && receipts !== true) this.workSeen();
  }

  private receipt(receipt: Receipt): void {
    const id = receipt.request_id;
    const input = this.pending.get(id) ?? this.accepted.get(id);
    this.remove(id);
    if (!input) return;
    if (receipt.status === 'unknown') this.lose('message', id, messageText(input), true);
    input.receive(receipt);
  }

  /** Work was seen on a Chord that is not known to give receipts: it has accepted what was written. */
  private workSeen(): void {
    if (this.pending.size === 0) return;
    for (const [id, input] of this.pending) this.accepted.set(id, input);
    this.pending.clear();
    for (const id of [...this.accepted.keys()].slice(0, -acceptedKept)) this.accepted.delete(id);
  }

  /** The process is gone. */
  exit(): void {
    for (const [id, input] of this.pending) this.lose('message', id, messageText(input));
    this.pending.clear();
    this.accepted.clear();
  }

  /** An answer was on its way when the process ended. */
  loseAnswer(requestId: string): void {
    this.lose('answer', requestId, `the answer to request ${requestId}`);
  }

  /** It turned out that the answer was never written, or what became of it. */
  settleAnswer(requestId: string): void {
    this.lost.delete(requestId);
  }

  /**
   * A process runs again, since somebody asked for it: what is unknown becomes a warning of the next result, and is no
   * longer counted, but for what Chord itself does not know.
   */
  turnIntoWarnings(): void {
    for (const [id, { byChord, text }] of this.lost) {
      if (byChord) continue;
      this.warnings.push(text);
      this.lost.delete(id);
    }
  }

  /** A person knows of what is unknown: it is no longer counted. @returns what it was */
  acknowledge(): UnknownInputDocument[] {
    const known = this.unknownList;
    this.lost.clear();
    return known;
  }

  /** What was unknown when a process ended, in sentences; each is given once. */
  consumeWarnings(): string[] {
    return this.warnings
      .splice(0)
      .map((lost) => `Chord ended earlier, and what became of ${lost} is unknown.`);
  }

  private lose(kind: Lost['kind'], id: string, text: string, byChord = false): void {
    this.lost.set(id, { kind, request_id: id, text, since: this.deps.now(), byChord });
  }
}

const messageText = ({ preview }: Input): string => `the message "${preview}"`;

/** Chord itself does not know what became of an input: nobody waits for it any longer, and it closes nothing. */
export const unknownOutcome = (
  { identity }: { identity: { key: string } },
  what: string,
  { message }: Receipt,
): ChordError =>
  new ChordError(
    'outcome_unknown',
    `Chord does not know what became of ${what}${message ? `: ${message}` : '.'}`,
    {
      sessionKey: identity.key,
      description:
        'It will not be resent automatically. Check the session before you send it again; then "Acknowledge Unknown Input" in Chord Control lets the session go on as usual.',
      details: { written: true },
    },
  );
