import { randomBytes, timingSafeEqual } from 'node:crypto';
import { timestamp, type Clock, type ClockTimer } from '../../clock';
import type { Claim } from '../contract';
import type { ResumeAnswer, Tokens } from './callN8n';

/**
 * A resume call that n8n did not take is repeated after these times: at first while n8n stores the wait, then while it
 * starts, which can take a minute. A call costs next to nothing.
 */
const firstRetryMs = 100;
const slowestRetryMs = 5000;

/**
 * At its start n8n looks through executions that a killed n8n left, also such as wait, and stores each as crashed (read,
 * 2.40.7 and 1.123.81). It answers resume calls a little earlier; an execution that goes on in between is overwritten by
 * what n8n had read before (measured). This long after n8n's first answer that is over.
 */
const restartedAfterMs = 5000;

/**
 * After a restart n8n can take a minute until it answers. Meanwhile another n8n on the machine may, at the usual port:
 * that an execution is gone is believed when it was said for so long.
 */
const startsForMs = 60_000;

/** A resume that has not come through for so long is said: nobody waits longer for nothing without a word. */
const saidAfterMs = 600_000;

/** So often n8n is asked what became of a call that it has passed on and not answered. */
const lookEveryMs = 60_000;

/** One execution that is to go on, and what is known of it. */
export interface Resumed {
  /** Calls n8n once. */
  call(tokens: Tokens, failed: (reason: string) => void): Promise<ResumeAnswer>;
  /** Asks n8n, which changes nothing, whether the execution was stopped, has ended, or was deleted. */
  isOver(): Promise<boolean>;
  /** n8n may not have stored yet that the execution waits. */
  isFresh(): boolean;
  /** Left by a former n8n: not resumed before this one has come to rest. */
  readonly recovered: boolean;
  /** The execution goes on, or is gone. */
  over(how: 'resumed' | 'gone'): void;
  /** It has not come through for {@link saidAfterMs}. */
  stuck(problem: string): void;
}

/**
 * Resumes a waiting execution: n8n is called until it has resumed the execution, or says that there is none.
 * Once n8n has passed a call on to us, no second one is made unless n8n itself refuses the first: it may stand in n8n's
 * queue for a free slot, and each call would run the rest of the workflow again.
 */
export class Resumption implements Tokens {
  /** When n8n was called last, RFC 3339; `null` before the first time. */
  lastTry: string | null = null;

  /** What keeps it from coming through, once that has to be said. */
  problem: string | null = null;

  /** One-time, and only in memory: after a restart there is a new one. */
  private token: Buffer | undefined;

  private claimed = false;

  /** Since when n8n has said that there is nothing to resume: believed the second time, and not while the wait is fresh. */
  private missedSince: number | undefined;

  /** When n8n passed the first call on to us. */
  private calledAt: number | undefined;

  /** What came of the addresses in the last try. */
  private reasons: string[] = [];

  private readonly timers = new Set<ClockTimer>();

  private ended = false;

  constructor(
    private readonly clock: Clock,
    private readonly resumed: Resumed,
  ) {}

  start(): void {
    this.after(saidAfterMs, () => {
      this.problem = this.describe();
      this.resumed.stuck(this.problem);
    });
    this.lookLater();
    this.attempt(firstRetryMs);
  }

  /** Ends the tries: the execution was seen to go on, or n8n ends. */
  stop(): void {
    this.ended = true;
    for (const timer of this.timers) timer.cancel();
  }

  next(): string {
    this.token = randomBytes(32);
    return this.token.toString('hex');
  }

  isAccepted(): boolean {
    return this.claimed;
  }

  /**
   * Takes a call in. Synchronous, so that of several calls at once exactly one is let through.
   *
   * @param isStored whether the state that n8n would go on from is one in which the execution waits for this call
   */
  claim(token: string, isStored: () => boolean): Claim {
    if (this.ended || this.claimed || !this.fits(token)) return 'refused';
    if (this.isRestarting() || (this.resumed.isFresh() && !isStored())) return 'too_early';
    this.claimed = true;
    return 'taken';
  }

  private fits(token: string): boolean {
    const given = Buffer.from(token, 'hex');
    const { token: known } = this;
    return known !== undefined && given.length === known.length && timingSafeEqual(given, known);
  }

  /** n8n may still look through what it was doing before it was killed. */
  private isRestarting(): boolean {
    if (!this.resumed.recovered) return false;
    const now = this.clock.now();
    this.calledAt ??= now;
    return now - this.calledAt < restartedAfterMs;
  }

  private attempt(retryMs: number): void {
    if (this.ended) return;
    // A call that was given up for lost may have come through after all.
    if (this.claimed) return;
    this.lastTry = timestamp(this.clock);
    const reasons: string[] = [];
    void this.resumed
      .call(this, (reason) => reasons.push(reason))
      .then((answer) => {
        this.reasons = reasons;
        if (!this.ended) this.onAnswer(answer, retryMs);
      });
  }

  private onAnswer(answer: ResumeAnswer, retryMs: number): void {
    // The run of the node shows whether it was resumed.
    if (answer === 'unanswered') return;
    if (answer === 'resumed' || this.isGone(answer)) {
      this.end(answer === 'resumed' ? answer : 'gone');
      return;
    }
    if (this.claimed) {
      // n8n itself refused what it had passed on: the claim was for a call that came to nothing.
      this.claimed = false;
      this.token = undefined;
    }
    this.after(retryMs, () => this.attempt(Math.min(2 * retryMs, slowestRetryMs)));
  }

  private isGone(answer: ResumeAnswer): boolean {
    const since = this.missedSince;
    const now = this.clock.now();
    this.missedSince = answer === 'gone' ? (since ?? now) : undefined;
    if (this.missedSince === undefined || since === undefined || this.resumed.isFresh()) return false;
    return !this.resumed.recovered || now - since >= startsForMs;
  }

  /** While n8n holds a call back for a free slot, the execution can be stopped, and then it gives no answer at all. */
  private lookLater(): void {
    this.after(lookEveryMs, () => {
      void (this.claimed ? this.resumed.isOver() : Promise.resolve(false)).then((isOver) => {
        if (this.ended) return;
        if (isOver && this.claimed) this.end('gone');
        else this.lookLater();
      });
    });
  }

  private describe(): string {
    const minutes = saidAfterMs / 60_000;
    if (this.claimed) {
      return `n8n accepted the call to resume this execution ${minutes} minutes ago and has not resumed it: it is already running as many workflows as N8N_CONCURRENCY_PRODUCTION_LIMIT allows.`;
    }
    const tried = this.reasons.length > 0 ? ` (${this.reasons.join('; ')})` : '';
    return `For ${minutes} minutes, all calls to resume this execution have failed${tried}. Set "n8n Address" in the Chord credential to an address at which n8n can reach itself.`;
  }

  private after(ms: number, call: () => void): void {
    const timer = this.clock.after(ms, () => {
      this.timers.delete(timer);
      call();
    });
    this.timers.add(timer);
  }

  private end(how: 'resumed' | 'gone'): void {
    this.stop();
    this.resumed.over(how);
  }
}
