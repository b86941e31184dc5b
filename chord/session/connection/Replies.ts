import type { Clock, ClockTimer } from '../../clock';
import { ChordError } from '../../errors';
import type { Envelope } from '../../protocol/envelopes';

/** Replies that carry no id of their command and are matched by order. */
export type ReplyType =
  | 'status_response'
  | 'models_response'
  | 'role_response'
  | 'local_shell_result'
  | 'question_receipt';

/** How long Chord may take for a reply. */
export const replyTimeoutMs = 10_000;

/** Chord stops a local shell command after about 120 s. */
export const shellTimeoutMs = 150_000;

interface Expected {
  /** The command's type, for messages. */
  readonly command: string;
  /** `null` for a command that is silent when it goes well. */
  readonly reply: ReplyType | null;
  readonly resolve: (envelope: Envelope | null) => void;
  readonly reject: (error: ChordError) => void;
  /** The session's step when it was asked. */
  readonly askedAtStep: number;
  timer: ClockTimer | undefined;
}

const replyTypes: readonly string[] = [
  'status_response',
  'models_response',
  'role_response',
  'local_shell_result',
  'question_receipt',
];

/**
 * Matches direct replies and command errors to commands: all of them keep the order of the commands (measured). A
 * silent command is known to have been carried out when the reply to a later one arrives. One whose time is over
 * keeps its place, so that its late reply goes to nobody else.
 */
export class Replies {
  private expected: Expected[] = [];

  constructor(private readonly clock: Clock) {}

  /**
   * Takes a place in the order; call it right before the command is written.
   *
   * @returns `done`: the reply, or `null` once a silent command is known to be carried out. It rejects with
   *   `command_failed`, `reply_timeout` or `process_exited`. `withdraw` when the command could not be written.
   */
  expect(
    command: string,
    reply: ReplyType | null,
    askedAtStep = 0,
  ): { done: Promise<Envelope | null>; withdraw: () => void } {
    let place: Expected | undefined;
    const done = new Promise<Envelope | null>((resolve, reject) => {
      place = { command, reply, resolve, reject, askedAtStep, timer: undefined };
      this.expected.push(place);
      if (reply !== null) this.arm(place);
    });
    // Whoever does not wait for it must not cause an unhandled rejection.
    done.catch(() => undefined);
    return {
      done,
      withdraw: () => {
        place?.timer?.cancel();
        this.expected = this.expected.filter((item) => item !== place);
      },
    };
  }

  /** When the command was asked that the next reply of this type answers; 0 where none was. */
  askedAt(reply: ReplyType): number {
    return this.expected.find((item) => item.reply === reply)?.askedAtStep ?? 0;
  }

  private arm(place: Expected): void {
    const limit = place.reply === 'local_shell_result' ? shellTimeoutMs : replyTimeoutMs;
    place.timer = this.clock.after(limit, () => {
      const behindShell = this.expected
        .slice(0, this.expected.indexOf(place))
        .some((item) => item.reply === 'local_shell_result');
      // Chord reads no other command while a local shell runs.
      if (behindShell) this.arm(place);
      else place.reject(new ChordError('reply_timeout', `Chord did not answer "${place.command}" in time.`));
    });
  }

  /** Takes in an envelope; true when it belonged to a command. */
  accept(envelope: Envelope): boolean {
    if (envelope.type === 'error') return this.fail(envelope);
    if (!replyTypes.includes(envelope.type)) return false;
    const index = this.expected.findIndex((item) => item.reply === envelope.type);
    const place = this.expected[index];
    if (!place) return false;
    // What stands before it and is silent has been carried out; what would have replied was dropped by Chord.
    const before = this.expected.slice(0, index);
    this.expected = [...before.filter((item) => item.reply !== null), ...this.expected.slice(index + 1)];
    for (const item of before) if (item.reply === null) item.resolve(null);
    place.timer?.cancel();
    place.resolve(envelope);
    return true;
  }

  private fail(envelope: Envelope): boolean {
    const payload = envelope.payload ?? {};
    // A runtime error always has this key; it belongs to the turn.
    if ('agent_id' in payload) return false;
    const place = this.expected.shift();
    if (!place) return false;
    place.timer?.cancel();
    const message = typeof payload.message === 'string' ? payload.message : 'no reason given';
    place.reject(new ChordError('command_failed', `Chord refused "${place.command}": ${message}`));
    return true;
  }

  /** The process is gone: nobody waits any longer. */
  rejectAll(error: ChordError): void {
    const { expected } = this;
    this.expected = [];
    for (const place of expected) {
      place.timer?.cancel();
      place.reject(error);
    }
  }
}
