import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, ClockTimer } from '../../clock';
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

/** One execution that is to go on, and what is known of it. */
export interface Resumed {
  /** Calls n8n once. */
  call(tokens: Tokens): Promise<ResumeAnswer>;
  /** n8n may not have stored yet that the execution waits. */
  isFresh(): boolean;
  /** Left by a former n8n: not resumed before this one has come to rest. */
  readonly recovered: boolean;
  /** The execution goes on, or is gone. */
  over(how: 'resumed' | 'gone'): void;
}

/**
 * Brings a waiting execution to go on: n8n is called until it has taken the execution up, or says that there is none.
 * Once n8n has passed a call on to us, no second one is made unless n8n itself refuses the first: it may stand in n8n's
 * queue for a free slot, and each call would run the rest of the workflow again.
 */
export class Resumption implements Tokens {
  /** One-time, and only in memory: after a restart there is a new one. */
  private token: Buffer | undefined;

  private claimed = false;

  /** n8n said last that there is nothing to resume: believed the second time, and not while the wait is fresh. */
  private missed = false;

  /** When n8n passed the first call on to us. */
  private calledAt: number | undefined;

  private timer: ClockTimer | undefined;

  private ended = false;

  constructor(
    private readonly clock: Clock,
    private readonly resumed: Resumed,
  ) {}

  start(): void {
    this.attempt(firstRetryMs);
  }

  /** Ends the tries: the execution was seen to go on, or n8n ends. */
  stop(): void {
    this.ended = true;
    this.timer?.cancel();
  }

  next(): string {
    this.token = randomBytes(32);
    return this.token.toString('hex');
  }

  isTaken(): boolean {
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
    // A call that was given up for lost may have come through after all.
    if (this.ended || this.claimed) return;
    void this.resumed.call(this).then((answer) => {
      if (!this.ended) this.heard(answer, retryMs);
    });
  }

  private heard(answer: ResumeAnswer, retryMs: number): void {
    // What became of it, the run of the node tells.
    if (answer === 'unanswered') return;
    if (answer === 'resumed' || this.isGone(answer)) {
      this.stop();
      this.resumed.over(answer === 'resumed' ? answer : 'gone');
      return;
    }
    if (this.claimed) {
      // n8n itself refused what it had passed on: the claim was for a call that came to nothing.
      this.claimed = false;
      this.token = undefined;
    }
    this.timer = this.clock.after(retryMs, () => this.attempt(Math.min(2 * retryMs, slowestRetryMs)));
  }

  private isGone(answer: ResumeAnswer): boolean {
    const sure = answer === 'gone' && this.missed && !this.resumed.isFresh();
    this.missed = answer === 'gone';
    return sure;
  }
}
