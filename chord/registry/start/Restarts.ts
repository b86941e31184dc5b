import type { Clock, ClockTimer } from '../../clock';
import { ChordError } from '../../errors';
import { howItEnded, type ExitReport } from '../../process';
import { exitError, type StartDocument } from '../../session';
import type { StartOptions } from '../contract';
import { outlook, type Outlook } from './restartOutlook';
import { dependsOnStart } from './RestartPolicy';
import type { LeasedSession } from '../lease/LeasedSession';
import { StartGate, type StartAsked } from './StartGate';

/** A fault of our own is no reason to try no more, nor to try again without a distance. */
const fault = (cause: unknown): ChordError =>
  new ChordError(
    'internal',
    `Chord could not be started because of an error in this package: ${String(cause)}`,
    { cause },
  );

/** What the restarts of one session ask of it. */
export interface RestartContext {
  readonly key: string;
  session(): LeasedSession;
  /** The credential's `restartOnCrash`. */
  isSwitchedOn(): boolean;
  /** Somebody holds the session who may start it. */
  isWanted(): boolean;
  /** Starts the pinned session; a failure comes back as {@link Restarts.startFailed}. */
  restart(): void;
}

/** Our own next try. */
interface Plan {
  at: number;
  timer: ClockTimer;
}

/**
 * Starts a session's process again after it ended unexpectedly or could not be started, keeps the starts apart that
 * others ask for meanwhile, and publishes what happened.
 */
export class Restarts {
  private readonly gate = new StartGate();

  private plan: Plan | undefined;

  /** What was published last; empty while all is well. */
  private lastPublished = '';

  /** Who waits for a try that comes soon. */
  private waiters: (() => void)[] = [];

  /**
   * `crashed`: it ended; `start_failed`: it never came up; `given_up`: one of these too often; `none`: it did not end
   * so.
   */
  state: 'none' | 'crashed' | 'start_failed' | 'given_up' = 'none';

  constructor(
    private readonly clock: Clock,
    private readonly context: RestartContext,
  ) {}

  /** As Status shows it. */
  get document(): StartDocument {
    const now = this.clock.now();
    const next = this.gate.closedUntil(now) ?? this.plan?.at ?? null;
    return {
      failed: this.gate.failures(now),
      next_try_at: next === null ? null : new Date(next).toISOString(),
    };
  }

  /** What went wrong last; `null` while all is well. */
  get lastError(): string | null {
    return this.state === 'none' ? null : (this.gate.lastFailure?.message ?? null);
  }

  /** The running process ended, and nobody had asked for it: reported once, and started again where that helps. */
  crashed(report: ExitReport): void {
    const { exitCode, signal, stderrTail } = report;
    const error = exitError(report, this.context.key);
    this.state = 'crashed';
    const next = this.next(this.gate.failed(error, this.clock.now()));
    const how = howItEnded(exitCode, signal);
    this.publish(
      next,
      { exit_code: exitCode, signal, stderr_tail: stderrTail },
      `Chord ended unexpectedly ${how}. ${next.sentence}`,
    );
  }

  /**
   * Somebody asks for a process, or the time has come: no second try beside this one.
   *
   * @throws ChordError the last failure, while no start may be tried
   */
  starting(asked: StartAsked): void {
    this.gate.enter(asked, this.clock.now());
    this.plan?.timer.cancel();
    this.plan = undefined;
  }

  /** A process is ready. */
  started(): void {
    const again = this.lastPublished !== '';
    this.state = 'none';
    this.lastPublished = '';
    this.gate.started(this.clock.now());
    this.settle();
    if (!again) return;
    const facts = { session_id: this.context.session().sessionId };
    this.context.session().announce('process_restarted', facts, 'Chord was restarted.');
  }

  /**
   * A start failed: one more failure. The first one in a row is published, then only that it is given up or that something
   * else is wrong.
   *
   * @returns the error for those who asked, with what is known of the next try
   */
  startFailed(thrown: unknown, start: StartOptions): ChordError {
    const error = ChordError.is(thrown) ? thrown : fault(thrown);
    if (error.code === 'interrupted') {
      this.settle();
      return error;
    }
    // Where another n8n has the session nothing was started, so the next start need not keep a distance.
    const delay = error.code === 'owned_elsewhere' ? 0 : this.gate.failed(error, this.clock.now());
    // A session that somebody asked for by its id says nothing of the one that all others want.
    const theirs = (start.mode !== 'continue' && dependsOnStart(error.code)) || delay === 0;
    if (!theirs || this.state !== 'none') this.publishFailure(error, delay, theirs);
    else this.settle();
    return new ChordError(error.code, error.message, {
      ...error.facts,
      cause: error,
      details: { ...error.facts.details, ...this.document, given_up: this.state === 'given_up' },
    });
  }

  /** Resolves once our own try that comes soon has been made, or comes no more. At once where none does. */
  soon(): Promise<void> {
    const { plan } = this;
    // A rare try is none to wait for.
    if (!plan || this.state === 'given_up' || plan.at !== this.gate.closedUntil(this.clock.now())) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** What kept a try by itself from being made may be over: it is made as soon as the gate opens. */
  acknowledged(): void {
    if (this.state === 'none' || this.plan) return;
    const now = this.clock.now();
    const at = this.gate.closedUntil(now) ?? now;
    this.plan = { at, timer: this.clock.after(at - now, () => this.tryAgain()) };
  }

  /** Stopped on purpose: no try by itself any more. */
  forget(): void {
    this.cancelTimer();
    this.state = 'none';
    this.lastPublished = '';
  }

  /** No try by itself any more, but it stays known that it crashed. */
  cancelTimer(): void {
    this.plan?.timer.cancel();
    this.plan = undefined;
    this.settle();
  }

  private publishFailure(error: ChordError, delay: number | 'give_up', theirs: boolean): void {
    const what = this.state === 'none' ? 'Chord could not be started' : 'Chord could not be restarted';
    if (this.state === 'none') this.state = 'start_failed';
    const next = this.next(this.state === 'given_up' ? 'give_up' : delay, error);
    const news = next.restart === 'impossible' ? `impossible ${error.code}` : next.restart;
    if (theirs || news === this.lastPublished || (next.restart === 'planned' && this.lastPublished !== ''))
      return;
    const facts = { exit_code: null, signal: null, stderr_tail: '', code: error.code, error: error.message };
    this.publish(next, facts, `${what}: ${error.message} ${next.sentence}`, news);
  }

  /** What comes now, and the plan for it. */
  private next(delay: number | 'give_up', error?: ChordError): Outlook {
    const next = outlook({ ...this.situation(), next: delay, ...(error && { error }) });
    if (delay === 'give_up') this.state = 'given_up';
    this.cancelTimer();
    if (next.delay !== null) {
      const timer = this.clock.after(next.delay, () => this.tryAgain());
      this.plan = { at: this.clock.now() + next.delay, timer };
    }
    return next;
  }

  private tryAgain(): void {
    this.plan = undefined;
    // A timer can fire a millisecond before its time, and the clock can be set back: a try that the gate refused would be
    // the last one.
    this.gate.open();
    const { isSwitchedOn, isUnknown, isWanted } = this.situation();
    if (isSwitchedOn && !isUnknown && isWanted) this.context.restart();
    else this.settle();
  }

  private situation() {
    const { context } = this;
    return {
      isSwitchedOn: context.isSwitchedOn(),
      isUnknown: context.session().unknownInputs > 0,
      isWanted: context.isWanted(),
    };
  }

  private publish(
    { restart, delay }: Outlook,
    facts: Record<string, unknown>,
    summary: string,
    news = restart,
  ): void {
    this.lastPublished = news;
    this.context
      .session()
      .announce(
        'process_exited',
        { ...facts, restart, ...(delay !== null && { restart_in_ms: delay }) },
        summary,
      );
  }

  private settle(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}
