import type { Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { CallControl } from '../../session';
import type { WaitDocument } from '../../session/contract';
import { runOf } from '../calls/callFile';
import type { Calls } from '../calls/Calls';
import { outcomeOf, valueOf, type CallOutcome } from '../calls/outcome';
import type { Claim } from '../contract';
import { removeBeat } from '../owners/Heartbeat';
import { OwnerLock } from '../owners/OwnerLock';
import type { Owners } from '../owners/Owners';
import { isSameProcess, type ProcessIdentity } from '../owners/processIdentity';
import { thisN8n, type N8nOfWaits } from './n8nOfWaits';
import { checkN8nAddress } from './resumeAddresses';
import { Resumption } from './Resumption';
import { stillWaits } from './stillWaits';
import { afterRestart, endedBy, endedOutside } from './waitOutcomes';
import { readWait, readWaits, removeWait, writeWait, type Wait } from './waitFile';

/**
 * n8n 1 stores that an execution waits a moment before it stores its data (read), and goes on from older data if it is
 * called in between: what ran since is lost, and later runs get the results of others (measured, 1.123.81). A call is
 * put off while that can be; after this long it is not, so that an execution whose data was never stored does not hang.
 */
const storedAfterMs = 60_000;

/** A call that is about to be waited for: the wait without what is noted of this process. */
type Parking = Omit<Wait, 'version' | 'createdAt' | 'owner'>;

interface Parked {
  wait: Wait;
  /** The call has ended, and n8n is being called. */
  hasEnded: boolean;
  /** The execution does not wait for the call any more. */
  isOver: boolean;
  /** Ends the call from outside. */
  readonly cancelled: AbortController;
  readonly resumption: Resumption;
}

/**
 * Executions of n8n that wait for a call without holding a worker. When the call has ended, n8n is called at the
 * execution's own address; it runs the node again, which takes the outcome from here.
 */
export class SuspendedWaits {
  private readonly parked = new Map<string, Parked>();

  private ending = false;

  constructor(
    private readonly owners: Owners,
    private readonly clock: Clock,
    private readonly calls: Calls,
    private readonly n8n: N8nOfWaits = thisN8n(clock),
    /** Where problems are said that nobody would hear of otherwise. */
    private readonly warn: (problem: string) => void = () => undefined,
  ) {}

  private get folder(): string {
    return this.owners.folder;
  }

  /** Executions that wait. */
  get count(): number {
    return this.waiting.length;
  }

  /** Notes the wait, then makes the call, and keeps what it comes to. */
  async park(parking: Parking, call: (control: CallControl) => Promise<unknown>): Promise<void> {
    checkN8nAddress(parking.n8nAddress);
    const wait: Wait = {
      ...parking,
      version: 1,
      createdAt: new Date(this.clock.now()).toISOString(),
      owner: this.owners.me,
    };
    // n8n 1 can go on from older data and come here twice: what was written stays so.
    if (!this.calls.read(wait.callId)?.written) await this.calls.expected(wait.callId, wait.sessionKey);
    await this.owners.begin();
    await writeWait(this.folder, wait);
    this.replaced(wait.callId);
    const entry = this.enter(wait);
    const { signal } = entry.cancelled;
    void outcomeOf(call({ signal })).then((outcome) =>
      this.isOurs(wait) ? this.ended(entry, outcome) : this.forget(entry),
    );
  }

  /** Whether a call is one that an execution waits for. */
  isParked(callId: string): boolean {
    return this.parked.has(callId);
  }

  /**
   * To be asked before a call is written: of one that is not suspended nothing is to be asked.
   *
   * @throws ChordError `interrupted` when its execution does not wait any more, `n8n_unreachable`
   */
  async stillWanted(callId: string): Promise<void> {
    const entry = this.parked.get(callId);
    if (!entry) return;
    const { waiter, sessionKey } = entry.wait;
    await stillWaits(
      {
        waiter,
        sessionKey,
        ask: () => this.n8n.ask(entry.wait),
        isFresh: () => this.isFresh(entry.wait),
        isEnded: () => entry.isOver || !this.isOurs(entry.wait),
      },
      this.clock,
    );
  }

  /**
   * Takes a resume call in: synchronous, and `taken` exactly once for a token.
   *
   * @param isStored whether the state that n8n would go on from is one in which the execution waits for this call
   */
  claim(executionId: string, token: string, isStored: (callId: string) => boolean): Claim {
    for (const { wait, resumption } of this.waiting) {
      if (wait.executionId !== executionId) continue;
      const claim = resumption.claim(token, () => isStored(wait.callId));
      if (claim !== 'refused') return claim;
    }
    return 'refused';
  }

  /** What a parked call came to. */
  async take(callId: string): Promise<unknown> {
    const entry = this.parked.get(callId);
    // The run of the node is the proof that the execution goes on, also where n8n gave no answer.
    if (entry) this.over(entry, 'resumed');
    const outcome = await this.calls.outcome(callId);
    if (!outcome) throw endedOutside(this.calls.read(callId));
    return valueOf(outcome);
  }

  /** Ends a wait; false when no such execution waits for this session. */
  async cancel(executionId: string, sessionKey: string, by: string): Promise<boolean> {
    const entry = this.waiting.find(
      ({ wait }) => wait.executionId === executionId && wait.sessionKey === sessionKey,
    );
    if (!entry) return false;
    const error = new ChordError('interrupted', `${by} ended the wait of ${entry.wait.waiter}.`, {
      sessionKey,
      description: 'Check Chord Status to see the outcome.',
    });
    if (entry.hasEnded) await this.calls.ended(entry.wait.callId, await outcomeOf(Promise.reject(error)));
    else entry.cancelled.abort(error);
    return true;
  }

  /** The executions that wait for a session. */
  list(sessionKey: string): WaitDocument[] {
    return this.waiting
      .filter(({ wait }) => wait.sessionKey === sessionKey)
      .map(({ wait, resumption }) => ({
        execution_id: wait.executionId,
        workflow: wait.workflow,
        node: wait.node,
        since: wait.createdAt,
        last_try: resumption.lastTry,
        problem: resumption.problem,
      }));
  }

  /** The address in a credential counts for the executions that wait already, too: it may be the cure. */
  addressIs(sessionKey: string, n8nAddress: string): void {
    for (const entry of this.waiting) {
      if (entry.wait.sessionKey === sessionKey) entry.wait = { ...entry.wait, n8nAddress };
    }
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
      await this.recovered(this.enter({ ...wait, owner: this.owners.me }, true));
    }
    await removeBeat(this.folder, gone.id);
    await lock.release();
  }

  /** Another n8n may have considered this one gone while it was paused, and taken over the wait. */
  private isOurs({ callId }: Wait): boolean {
    const kept = readWait(this.folder, callId);
    return !kept || this.owners.isMe(kept.owner);
  }

  private forget(entry: Parked): void {
    entry.resumption.stop();
    this.parked.delete(entry.wait.callId);
  }

  private get waiting(): Parked[] {
    return [...this.parked.values()].filter(({ isOver }) => !isOver);
  }

  private enter(wait: Wait, recovered = false): Parked {
    const resumption = new Resumption(this.clock, {
      recovered,
      isFresh: () => this.isFresh(wait),
      call: (tokens, failed) => this.n8n.call(entry.wait, tokens, failed),
      isOver: async () => (await this.n8n.ask(entry.wait)) === 'over',
      over: (how) => this.over(entry, how),
      stuck: (problem) => this.warn(`${wait.waiter} could not be resumed. ${problem}`),
    });
    const entry: Parked = {
      wait,
      hasEnded: false,
      isOver: false,
      cancelled: new AbortController(),
      resumption,
    };
    this.parked.set(wait.callId, entry);
    return entry;
  }

  /** The same call is waited for again: the former wait ends. */
  private replaced(callId: string): void {
    const former = this.parked.get(callId);
    if (!former) return;
    former.isOver = true;
    former.resumption.stop();
    this.parked.delete(callId);
  }

  private async recovered(entry: Parked): Promise<void> {
    const { wait } = entry;
    // From now on the wait is ours; on a full disk it is so as long as this process lives.
    await writeWait(this.folder, wait).catch(() => undefined);
    const call = this.calls.read(wait.callId);
    // Of a call that left no note, the worst is believed: that it was written.
    if (!call) await this.calls.writing(wait.callId, wait.sessionKey).catch(() => undefined);
    await this.ended(entry, call?.outcome ?? afterRestart(wait, call));
  }

  /** n8n may not have stored yet that the execution waits. */
  private isFresh(wait: Wait): boolean {
    return this.clock.now() - Date.parse(wait.createdAt) < storedAfterMs;
  }

  private async ended(entry: Parked, outcome: CallOutcome): Promise<void> {
    if (this.ending) return;
    entry.hasEnded = true;
    if (entry.isOver && this.parked.get(entry.wait.callId) === entry) this.parked.delete(entry.wait.callId);
    await this.calls.ended(entry.wait.callId, endedBy(entry.cancelled.signal, outcome));
    if (!entry.isOver) entry.resumption.start();
  }

  /** The execution goes on, or is gone. A call that is under way still stays known: it must not be written any more. */
  private over(entry: Parked, how: 'resumed' | 'gone'): void {
    const { callId } = entry.wait;
    entry.isOver = true;
    entry.resumption.stop();
    if (entry.hasEnded) this.parked.delete(callId);
    void removeWait(this.folder, callId).catch(() => undefined);
    if (how === 'gone') void this.calls.runEnded(runOf(callId)).catch(() => undefined);
  }
}
