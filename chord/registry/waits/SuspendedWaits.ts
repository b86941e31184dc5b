import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock';
import { ChordError, errorCodes, type ErrorCode } from '../../errors';
import type { Claim, ParkRequest, SuspendedCalls } from '../contract';
import { isGone, thisProcess } from '../processIdentity';
import { callN8n, type ResumeAnswer } from './callN8n';
import { resumeAddresses } from './resumeAddresses';
import { readWaits, removeWait, writeWait, type Wait, type WaitOutcome } from './WaitFile';

/**
 * A resume call that n8n did not take is repeated after these times: at first while n8n stores the wait, then while it
 * starts, which can take a minute. A call costs next to nothing.
 */
const firstRetryMs = 100;
const slowestRetryMs = 5000;

/**
 * n8n 1 stores that an execution waits a moment before it stores its data (read), and goes on from older data if it is
 * called in between: what ran since is lost, and later runs get the results of others (measured, 1.123.81). A call is
 * put off while that can be; after this long it is not, so that an execution whose data was never stored does not hang.
 */
const storedAfterMs = 60_000;

/**
 * At its start n8n looks through executions that a killed n8n left, also such as wait, and stores each as crashed (read,
 * 2.40.7 and 1.123.81). It answers resume calls a little earlier; an execution that goes on in between is overwritten by
 * what n8n had read before (measured). This long after n8n's first answer that is over.
 */
const restartedAfterMs = 5000;

/** How long an execution that was resumed may take until its node runs, with all its tries. */
const keptAfterResumeMs = 3_600_000;

interface Parked {
  wait: Wait;
  outcome: WaitOutcome | undefined;
  /** One-time, and only in memory: after a restart there is a new one. */
  token: Buffer;
  claimed: boolean;
  /** Left by a former n8n: not resumed before this one has come to rest, see {@link restartedAfterMs}. */
  recovered: boolean;
  /** When n8n passed the first resume call on to us. */
  calledAt: number | undefined;
  /** n8n said last that there is nothing to resume: believed the second time, and not before {@link storedAfterMs}. */
  missed: boolean;
}

const toOutcome = (error: unknown): WaitOutcome => {
  const known = ChordError.is(error) ? error : undefined;
  return {
    kind: 'error',
    code: known?.code ?? 'internal',
    message: known?.message ?? 'The call ended with a fault of this package.',
    description: known?.description ?? '',
    ...(known?.facts.details && { details: known.facts.details }),
    ...(known?.facts.sessionKey !== undefined && { sessionKey: known.facts.sessionKey }),
    ...(known?.facts.requestId !== undefined && { requestId: known.facts.requestId }),
  };
};

function toError(outcome: Extract<WaitOutcome, { kind: 'error' }>): ChordError {
  const code: ErrorCode = Object.hasOwn(errorCodes, outcome.code) ? (outcome.code as ErrorCode) : 'internal';
  return new ChordError(code, outcome.message, {
    description: outcome.description,
    ...(outcome.details && { details: outcome.details }),
    ...(outcome.sessionKey !== undefined && { sessionKey: outcome.sessionKey }),
    ...(outcome.requestId !== undefined && { requestId: outcome.requestId }),
  });
}

const interrupted = (wait: Wait): WaitOutcome =>
  toOutcome(
    new ChordError(
      'interrupted',
      `n8n was restarted while ${wait.waiter} waited. It was written before that.`,
      {
        sessionKey: wait.sessionKey,
        description: 'What became of it stands in the session: see Chord Status. Nothing was sent again.',
        details: { written: true, waiting_since: wait.createdAt },
      },
    ),
  );

/**
 * Executions of n8n that wait for a call without holding a worker. When the call has ended, n8n is called at the
 * execution's own address; it runs the node again, which takes the outcome from here.
 */
export class SuspendedWaits implements SuspendedCalls {
  private readonly parked = new Map<string, Parked>();

  private ending = false;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
    private readonly call: (wait: Wait, token: string) => Promise<ResumeAnswer> = (wait, token) =>
      callN8n(resumeAddresses(wait.resumeUrl, wait.n8nAddress), token),
  ) {}

  /** Executions that wait. */
  get count(): number {
    return this.parked.size;
  }

  /** Keeps a call for an execution that is about to wait. The file is written when this resolves. */
  async park(request: ParkRequest, call: Promise<unknown>): Promise<void> {
    const wait: Wait = {
      ...request,
      version: 1,
      createdAt: new Date(this.clock.now()).toISOString(),
      owner: thisProcess(),
    };
    const entry = this.enter(wait);
    // Listened to at once: a call that fails while the file is written must not be unhandled.
    const outcome = call.then((value): WaitOutcome => ({ kind: 'value', value }), toOutcome);
    await writeWait(this.folder, wait);
    void outcome.then((ended) => this.ended(entry, ended));
  }

  /**
   * Takes a resume call in. Synchronous, so that of several calls at once exactly one is let through.
   *
   * @returns `refused` for a wrong or used token, and for an execution that does not wait for us
   */
  claim(executionId: string, token: string, isStored: (callId: string) => boolean): Claim {
    for (const entry of this.parked.values()) {
      const { wait } = entry;
      if (wait.executionId === executionId && this.fits(entry, token)) {
        if (this.isRestarting(entry)) return 'too_early';
        if (this.isFresh(wait) && !isStored(wait.callId)) return 'too_early';
        entry.claimed = true;
        return 'taken';
      }
    }
    return 'refused';
  }

  /**
   * What a call came to.
   *
   * @throws ChordError the call's own error; `interrupted` when nothing is known of it any more
   */
  take(callId: string): unknown {
    const outcome = this.parked.get(callId)?.outcome;
    if (!outcome) {
      throw new ChordError(
        'interrupted',
        'The wait was ended from outside; what became of it is not known here.',
        {
          description:
            'It was written before the wait, and is not sent again. Chord Status tells how the session stands.',
          details: { written: true },
        },
      );
    }
    if (outcome.kind === 'error') throw toError(outcome);
    return outcome.value;
  }

  /**
   * Ends the waits that a former n8n left: each execution gets the outcome that had come already, else `interrupted`.
   * Waits of a process that lives are its own.
   */
  recover(): void {
    const here = thisProcess();
    for (const wait of readWaits(this.folder)) {
      const orphaned = wait.owner.host === here.host && isGone(wait.owner, Date.parse(wait.createdAt));
      if (orphaned && !this.parked.has(wait.callId)) {
        const entry = this.enter({ ...wait, owner: here }, true);
        void this.ended(entry, wait.outcome ?? interrupted(wait));
      }
    }
  }

  /** n8n ends: nothing is resumed any more, and the files stay for the next one. */
  shutdown(): void {
    this.ending = true;
  }

  private enter(wait: Wait, recovered = false): Parked {
    const entry: Parked = {
      wait,
      outcome: undefined,
      token: randomBytes(32),
      claimed: false,
      recovered,
      calledAt: undefined,
      missed: false,
    };
    this.parked.set(wait.callId, entry);
    return entry;
  }

  /** n8n may not have stored yet that the execution waits. */
  private isFresh(wait: Wait): boolean {
    return this.clock.now() - Date.parse(wait.createdAt) < storedAfterMs;
  }

  /** n8n may still look through what it was doing before it was killed. */
  private isRestarting(entry: Parked): boolean {
    if (!entry.recovered) return false;
    const now = this.clock.now();
    entry.calledAt ??= now;
    return now - entry.calledAt < restartedAfterMs;
  }

  private fits(entry: Parked, token: string): boolean {
    const given = Buffer.from(token, 'hex');
    return (
      !entry.claimed &&
      entry.outcome !== undefined &&
      given.length === entry.token.length &&
      timingSafeEqual(given, entry.token)
    );
  }

  private async ended(entry: Parked, outcome: WaitOutcome): Promise<void> {
    if (this.ending) return;
    entry.outcome = outcome;
    entry.wait = { ...entry.wait, outcome };
    // A full disk must not keep the execution waiting: it gets its outcome as long as this process lives.
    await writeWait(this.folder, entry.wait).catch(() => undefined);
    this.resume(entry, firstRetryMs);
  }

  private resume(entry: Parked, retryMs: number): void {
    if (this.ending) return;
    const token = entry.token.toString('hex');
    void this.call(entry.wait, token).then(async (answer) => {
      const unsure = answer === 'gone' && (!entry.missed || this.isFresh(entry.wait));
      entry.missed = answer === 'gone';
      if (answer === 'later' || unsure) {
        // The claim was for a call that came to nothing.
        entry.claimed = false;
        this.clock.after(retryMs, () => this.resume(entry, Math.min(2 * retryMs, slowestRetryMs)));
        return;
      }
      await removeWait(this.folder, entry.wait.callId).catch(() => undefined);
      // The node takes the outcome in the run that follows; afterwards it is only in the way.
      if (answer === 'gone') this.parked.delete(entry.wait.callId);
      else this.forgetLater(entry);
    });
  }

  private forgetLater(entry: Parked): void {
    this.clock.after(keptAfterResumeMs, () => this.parked.delete(entry.wait.callId));
  }
}
