import type { Clock } from '../../clock';
import { ChordError, errorCodes, type ErrorCode } from '../../errors';
import type { Claim, ParkRequest, SuspendedCalls } from '../contract';
import { removeBeat } from '../owners/Heartbeat';
import { OwnerLock } from '../owners/OwnerLock';
import type { Owners } from '../owners/Owners';
import { isSameProcess, type ProcessIdentity } from '../owners/processIdentity';
import { callN8n, type ResumeAnswer, type Tokens } from './callN8n';
import { resumeAddresses } from './resumeAddresses';
import { Resumption } from './Resumption';
import { readWait, readWaits, removeWait, writeWait, type Wait, type WaitOutcome } from './WaitFile';

/**
 * n8n 1 stores that an execution waits a moment before it stores its data (read), and goes on from older data if it is
 * called in between: what ran since is lost, and later runs get the results of others (measured, 1.123.81). A call is
 * put off while that can be; after this long it is not, so that an execution whose data was never stored does not hang.
 */
const storedAfterMs = 60_000;

/** How long an execution that was resumed may take until its node runs, with all its tries. */
const keptAfterResumeMs = 3_600_000;

interface Parked {
  wait: Wait;
  outcome: WaitOutcome | undefined;
  readonly resumption: Resumption;
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
    private readonly owners: Owners,
    private readonly clock: Clock,
    private readonly call: (wait: Wait, tokens: Tokens) => Promise<ResumeAnswer> = (wait, tokens) =>
      callN8n(resumeAddresses(wait.resumeUrl, wait.n8nAddress), tokens, clock),
  ) {}

  private get folder(): string {
    return this.owners.folder;
  }

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
      owner: this.owners.me,
    };
    const entry = this.enter(wait);
    // Listened to at once: a call that fails while the file is written must not be unhandled.
    const outcome = call.then((value): WaitOutcome => ({ kind: 'value', value }), toOutcome);
    await this.owners.begin();
    await writeWait(this.folder, wait);
    void outcome.then((ended) => (this.isOurs(wait) ? this.ended(entry, ended) : this.forget(entry)));
  }

  /**
   * Takes a resume call in. Synchronous, so that of several calls at once exactly one is let through.
   *
   * @returns `refused` for a wrong or used token, and for an execution that does not wait for us
   */
  claim(executionId: string, token: string, isStored: (callId: string) => boolean): Claim {
    for (const { wait, resumption } of this.parked.values()) {
      if (wait.executionId !== executionId) continue;
      const claim = resumption.claim(token, () => isStored(wait.callId));
      if (claim !== 'refused') return claim;
    }
    return 'refused';
  }

  /**
   * What a call came to.
   *
   * @throws ChordError the call's own error; `interrupted` when nothing is known of it any more
   */
  take(callId: string): unknown {
    const entry = this.parked.get(callId);
    const outcome = entry?.outcome;
    if (!entry || !outcome) {
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
    // The run of the node is the proof that the execution goes on, also where n8n gave no answer.
    this.over(entry, 'resumed');
    if (outcome.kind === 'error') throw toError(outcome);
    return outcome.value;
  }

  /**
   * Ends the waits that another n8n left, and those of every one that is found to be gone later: each execution gets the
   * outcome that had come already, else `interrupted`. Waits of a process that lives are its own.
   */
  recover(): void {
    this.owners.whenGone((owner) => void this.takeOver(owner));
    void this.owners.begin().catch(() => undefined);
    for (const { owner } of readWaits(this.folder)) void this.owners.standing(owner);
  }

  /** n8n ends: nothing is resumed any more, and the files stay for the next one. */
  shutdown(): void {
    this.ending = true;
    for (const { resumption } of this.parked.values()) resumption.stop();
  }

  private async takeOver(gone: ProcessIdentity): Promise<void> {
    // Of several processes that see the same one gone, one takes over.
    const lock = new OwnerLock(this.owners, `waits of ${gone.id}`);
    try {
      await lock.acquire(true);
    } catch (error) {
      // On a full disk there is no lock, and an execution must not wait for ever because of that.
      if (this.ending || (ChordError.is(error) && error.code === 'owned_elsewhere')) return;
    }
    for (const wait of readWaits(this.folder)) {
      if (!isSameProcess(wait.owner, gone) || this.parked.has(wait.callId)) continue;
      const entry = this.enter({ ...wait, owner: this.owners.me }, true);
      await this.ended(entry, wait.outcome ?? interrupted(wait));
    }
    await removeBeat(this.folder, gone.id);
    await lock.release();
  }

  /** Another n8n may have taken this one for gone while it did not run, and the wait over: then it is that one's. */
  private isOurs({ callId }: Wait): boolean {
    const kept = readWait(this.folder, callId);
    return !kept || this.owners.isMe(kept.owner);
  }

  private forget(entry: Parked): void {
    entry.resumption.stop();
    this.parked.delete(entry.wait.callId);
  }

  private enter(wait: Wait, recovered = false): Parked {
    const resumption = new Resumption(this.clock, {
      recovered,
      isFresh: () => this.isFresh(wait),
      call: (tokens) => this.call(wait, tokens),
      over: (how) => this.over(entry, how),
    });
    const entry: Parked = { wait, outcome: undefined, resumption };
    this.parked.set(wait.callId, entry);
    return entry;
  }

  /** n8n may not have stored yet that the execution waits. */
  private isFresh(wait: Wait): boolean {
    return this.clock.now() - Date.parse(wait.createdAt) < storedAfterMs;
  }

  private async ended(entry: Parked, outcome: WaitOutcome): Promise<void> {
    if (this.ending) return;
    entry.outcome = outcome;
    entry.wait = { ...entry.wait, outcome };
    // A full disk must not keep the execution waiting: it gets its outcome as long as this process lives.
    await writeWait(this.folder, entry.wait).catch(() => undefined);
    entry.resumption.start();
  }

  /** The node takes the outcome in the run that follows; afterwards it is only in the way. */
  private over(entry: Parked, how: 'resumed' | 'gone'): void {
    entry.resumption.stop();
    const { callId } = entry.wait;
    void removeWait(this.folder, callId).catch(() => undefined);
    if (how === 'gone') this.parked.delete(callId);
    else this.clock.after(keptAfterResumeMs, () => this.parked.delete(callId));
  }
}
