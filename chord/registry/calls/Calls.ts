import { timestamp, type Clock } from '../../clock';
import { ChordError } from '../../errors';
import { readCall, removeCall, removeOldRuns, removeRun, runOf, writeCall, type Call } from './callFile';
import { valueOf, type CallOutcome } from './outcome';

/** n8n does not report when an execution is over, so what no node has asked for by then is deleted. 30 days. */
const keptForMs = 30 * 24 * 3_600_000;

/** What an earlier life of n8n has left of a call that it had written. */
const unknownOutcome = ({ sessionKey, at }: Call): ChordError =>
  new ChordError('outcome_unknown', 'This was sent to Chord before n8n restarted; its outcome is unknown.', {
    sessionKey,
    description: 'It is not sent again. Check Chord Status and the project to see what happened.',
    details: { written: true, written_at: at },
  });

/**
 * What calls have written and came to, on the disk: n8n may run a node again for the same execution, run and item after
 * a restart, and nothing may be sent twice or lost then. Kept until the node has run to its end.
 */
export class Calls {
  /** What is being done on the disk, by run of a node, one thing after the other. */
  private readonly work = new Map<string, Promise<unknown>>();

  /** Outcomes that could not be stored: of a full disk nobody must lose what came of a call. */
  private readonly unsaved = new Map<string, CallOutcome>();

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** A call as it is kept. */
  read(callId: string): Call | undefined {
    return readCall(this.folder, callId);
  }

  /** What became of a call that an earlier life of n8n had written to a session; `undefined` when there was none. */
  earlier(callId: string, sessionKey: string): Promise<unknown> | undefined {
    const call = this.read(callId);
    if (!call?.written || call.sessionKey !== sessionKey) return undefined;
    return call.outcome
      ? Promise.resolve(call.outcome).then(valueOf)
      : Promise.reject<unknown>(unknownOutcome(call));
  }

  /** Notes a call that has written nothing yet, but whose node will ask for its outcome. */
  expected(callId: string, sessionKey: string): Promise<void> {
    return this.put(callId, { sessionKey, written: false });
  }

  /** A call is about to be written. On the disk when this resolves: the call counts as written from then on. */
  writing(callId: string, sessionKey: string): Promise<void> {
    return this.put(callId, { sessionKey, written: true });
  }

  /** A call that counted as written was not written after all. */
  withdrawn(callId: string, sessionKey: string, isExpected: boolean): void {
    const done = this.inOrder(runOf(callId), async () => {
      // It may have ended already: its node asks for that outcome all the same.
      const { outcome } = this.read(callId) ?? {};
      if (!isExpected) await removeCall(this.folder, callId);
      else await this.write({ callId, sessionKey, written: false, ...(outcome && { outcome }) });
    });
    // It goes on counting as written, which is the side to err on.
    done.catch(() => undefined);
  }

  /** A call has ended. Of one whose node has run to its end already, nothing is kept. */
  async ended(callId: string, outcome: CallOutcome): Promise<void> {
    try {
      await this.inOrder(runOf(callId), async () => {
        const call = this.read(callId);
        if (call) await writeCall(this.folder, { ...call, at: timestamp(this.clock), outcome });
      });
    } catch {
      this.unsaved.set(callId, outcome);
    }
  }

  /** What a call came to; `undefined` while it has not ended, or nothing is known of it. */
  async outcome(callId: string): Promise<CallOutcome | undefined> {
    await this.inOrder(runOf(callId), () => Promise.resolve());
    return this.unsaved.get(callId) ?? this.read(callId)?.outcome;
  }

  /** A node's run has come to its end: nobody asks for its calls any more. */
  async runEnded(run: string): Promise<void> {
    for (const callId of this.unsaved.keys()) if (runOf(callId) === run) this.unsaved.delete(callId);
    await this.inOrder(run, () => removeRun(this.folder, run));
  }

  /** Forgets what nobody has asked for in {@link keptForMs}. */
  async forgetOld(): Promise<void> {
    await removeOldRuns(this.folder, this.clock.now() - keptForMs);
  }

  private put(callId: string, facts: Pick<Call, 'sessionKey' | 'written'>): Promise<void> {
    return this.inOrder(runOf(callId), () => this.write({ callId, ...facts }));
  }

  private write(facts: Omit<Call, 'version' | 'at'>): Promise<void> {
    return writeCall(this.folder, { version: 1, at: timestamp(this.clock), ...facts });
  }

  private async inOrder<Result>(run: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.work.get(run) ?? Promise.resolve();
    const now = before.catch(() => undefined).then(task);
    this.work.set(run, now);
    try {
      return await now;
    } finally {
      if (this.work.get(run) === now) this.work.delete(run);
    }
  }
}
