import type { Clock } from '../../clock';
import { ChordError } from '../../errors';
import { howItEnded, type ExitReport, type ProtocolProblem, type Transport } from '../../process';
import type { Command } from '../../protocol/commands';
import type { Envelope } from '../../protocol/envelopes';
import { Replies, replyTimeoutMs, type ReplyType } from './Replies';

/** How long is waited before a status is asked for once more that was overtaken twice, ms. */
const askAgainMs = 100;

/** What a connection needs of its session. */
export interface ConnectionDeps {
  transport: Transport;
  clock: Clock;
  /** The session's step now. */
  step(): number;
  /**
   * Gets every envelope, in order. `askedAtStep` goes with a `status_response`.
   *
   * @returns false for a snapshot that was overtaken by a newer push, so that nothing was read from it
   */
  accept(envelope: Envelope, askedAtStep: number): boolean;
  problem(problem: ProtocolProblem): void;
  exit(report: ExitReport): void;
}

/** A command on its way. */
export interface Issued {
  /** The pipe has taken the line. */
  written: Promise<void>;
  /** The reply, or `null` once a silent command is known to be carried out. */
  done: Promise<Envelope | null>;
}

/** One attached process: commands out, envelopes in, replies given to the commands that they answer. */
export class Connection {
  private readonly replies: Replies;

  /** How it ended, once it has. */
  report: ExitReport | undefined;

  /** Replies that say nothing, since a newer push had overtaken them. */
  private readonly overtaken = new WeakSet<Envelope>();

  constructor(private readonly deps: ConnectionDeps) {
    this.replies = new Replies(deps.clock);
  }

  get pid(): number | undefined {
    return this.deps.transport.pid;
  }

  /** Starts the process and resolves once it is ready. */
  async start(): Promise<void> {
    await this.deps.transport.start({
      envelope: (envelope) => this.accept(envelope),
      problem: (problem) => this.deps.problem(problem),
      exit: (report) => this.exit(report),
    });
  }

  /**
   * Writes a command. A silent one is followed by a `status` at once: an error that comes before its reply is this
   * command's and nobody else's, and the reply itself says that the command was carried out.
   *
   * @param reply the reply that it has, or `null` when it is silent; `untracked` for a plain message and `cancel`, which
   *   are never refused by an error of their own
   */
  issue(command: Command, reply: ReplyType | null | 'untracked'): Issued {
    if (reply === 'untracked') {
      return { written: this.deps.transport.write(command), done: Promise.resolve(null) };
    }
    const issued = this.expect(command, reply);
    if (reply !== null) return issued;
    const done = Promise.all([issued.done, this.status()]).then(() => null);
    done.catch(() => undefined);
    return { written: issued.written, done };
  }

  /**
   * Asks for a status, and of these questions in particular; the session's state is up to date when this resolves. A
   * snapshot that was overtaken says nothing, so it is asked for again.
   *
   * @throws ChordError `reply_timeout` when none came in time that was not overtaken
   */
  async status(questionIds: readonly string[] = []): Promise<void> {
    const asked = questionIds.length > 0 && { question_ids: [...questionIds] };
    const end = this.deps.clock.now() + replyTimeoutMs;
    for (let tries = 1; ; tries += 1) {
      const { written, done } = this.expect({ type: 'status', ...asked }, 'status_response');
      await written;
      const reply = await done;
      if (!reply || !this.overtaken.has(reply)) return;
      if (this.deps.clock.now() >= end) {
        throw new ChordError('reply_timeout', 'Chord only reported an outdated state.');
      }
      if (tries > 1) await new Promise<void>((resolve) => this.deps.clock.after(askAgainMs, resolve));
    }
  }

  private expect(command: Command, reply: ReplyType | null): Issued {
    const { done, withdraw } = this.replies.expect(command.type, reply, this.deps.step());
    const written = this.deps.transport.write(command).catch((error: unknown) => {
      withdraw();
      throw error;
    });
    written.catch(() => undefined);
    return { written, done };
  }

  private accept(envelope: Envelope): void {
    const askedAtStep = envelope.type === 'status_response' ? this.replies.askedAt('status_response') : 0;
    // State first: whoever waits for the reply must find the state that it shows.
    if (!this.deps.accept(envelope, askedAtStep)) this.overtaken.add(envelope);
    this.replies.accept(envelope);
  }

  private exit(report: ExitReport): void {
    if (this.report) return;
    this.report = report;
    this.deps.exit(report);
    this.replies.rejectAll(exitError(report));
  }
}

/** Says how the process ended, to whoever waited for it. */
export function exitError(report: ExitReport, sessionKey?: string): ChordError {
  const how = howItEnded(report.exitCode, report.signal);
  return new ChordError('process_exited', `Chord ended ${how}.`, {
    description: report.stderrTail
      ? `Its last output: ${report.stderrTail.slice(-500)}`
      : 'It gave no reason. Chord Status shows more.',
    ...(sessionKey !== undefined && { sessionKey }),
    exitCode: report.exitCode,
    signal: report.signal,
    stderrTail: report.stderrTail,
  });
}
