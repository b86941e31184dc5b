import type { Clock, ClockTimer } from '../clock';
import { ChordError } from '../errors';
import type { ExitReport } from '../process/Transport';
import { isPointlessToRetry, RestartPolicy } from './restartPolicy';
import type { SessionBody } from './SessionBody';

/** What the restarts of one session ask of it. */
export interface RestartContext {
  readonly session: SessionBody;
  /** The credential's `restartOnCrash`. */
  isSwitchedOn(): boolean;
  /** Somebody holds the session who may start it. */
  isWanted(): boolean;
  /** Starts the pinned session; a failure comes back as {@link Restarts.startFailed}. */
  restart(): void;
}

/** What is told of a process that ended: will it be started again, and why not. */
interface Outlook {
  facts: Record<string, unknown>;
  sentence: string;
}

const outlook = (restart: string, sentence: string, more: Record<string, unknown> = {}): Outlook => ({
  facts: { restart, ...more },
  sentence,
});

/** Starts a session's process again after it ended unexpectedly, and tells listeners what happened. */
export class Restarts {
  private readonly policy = new RestartPolicy();

  private timer: ClockTimer | undefined;

  /** `crashed`: it ended and may come back; `given_up`: only when somebody asks; `none`: it did not end so. */
  state: 'none' | 'crashed' | 'given_up' = 'none';

  constructor(
    private readonly clock: Clock,
    private readonly context: RestartContext,
  ) {}

  /** The running process ended, and nobody had asked for it: reported once, and started again where that helps. */
  crashed(report: ExitReport): void {
    this.state = 'crashed';
    const { exitCode, signal, stderrTail } = report;
    const how = signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by signal ${signal}`;
    const { facts, sentence } = this.afterCrash();
    this.context.session.announce(
      'process_exited',
      { exit_code: exitCode, signal, stderr_tail: stderrTail, ...facts },
      `Chord ended unexpectedly ${how}. ${sentence}`,
    );
  }

  /** Somebody asks for a process, or the time has come: no second try beside this one. */
  starting(): void {
    this.cancelTimer();
    if (this.state === 'given_up') this.policy.reset();
  }

  /** A process is ready. */
  started(): void {
    const again = this.state !== 'none';
    this.state = 'none';
    this.policy.started(this.clock.now());
    if (!again) return;
    const facts = { session_id: this.context.session.sessionId };
    this.context.session.announce('process_restarted', facts, 'Chord was started again.');
  }

  /** A start failed. After a crash it counts as another failure: quiet while tries are left, the last one is told. */
  startFailed(error: unknown): void {
    if (this.state !== 'crashed' || !ChordError.is(error) || error.code === 'interrupted') return;
    if (isPointlessToRetry(error.code)) {
      this.tellNoRestart(error, outlook('impossible', 'It is not started again by itself.'));
    } else if (this.context.isWanted()) {
      const next = this.next();
      if (this.isGivenUp) this.tellNoRestart(error, next);
    }
  }

  /** Stopped on purpose, or nobody is left who wants it: no try by itself any more. */
  forget(): void {
    this.cancelTimer();
    this.state = 'none';
  }

  /** No try by itself any more, but it stays known that it crashed. */
  cancelTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private get isGivenUp(): boolean {
    return this.state === 'given_up';
  }

  private afterCrash(): Outlook {
    const { context } = this;
    if (!context.isSwitchedOn()) return outlook('switched_off', 'The credential says not to start it again.');
    if (context.session.unknownInputs > 0) {
      return outlook(
        'unknown_input',
        'It is not started again by itself, since what became of a message or an answer is unknown.',
      );
    }
    if (!context.isWanted()) return outlook('not_used', 'It is started again when somebody uses it.');
    return this.next();
  }

  private next(): Outlook {
    const delay = this.policy.failed(this.clock.now());
    if (delay === 'give_up') {
      this.state = 'given_up';
      return outlook(
        'given_up',
        'It ended too often in a short time and is started again only when somebody uses it.',
      );
    }
    this.timer = this.clock.after(delay, () => this.context.restart());
    return outlook('planned', `It is started again in ${delay / 1000} s.`, { restart_in_ms: delay });
  }

  private tellNoRestart(error: ChordError, { facts, sentence }: Outlook): void {
    this.context.session.announce(
      'process_exited',
      { exit_code: null, signal: null, stderr_tail: '', ...facts, code: error.code, error: error.message },
      `Chord could not be started again: ${error.message} ${sentence}`,
    );
  }
}
