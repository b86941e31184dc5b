import type { Clock, ClockTimer } from '../clock';
import { ChordError } from '../errors';
import type { ExitReport, ProtocolProblem, Transport } from '../process';
import { readEnvelope, type Envelope, type Reading } from '../protocol/envelopes';
import { Connection, exitError } from './Connection';
import type { ResultDocument, SessionDocument, UsageDocument } from './contract';
import { Images } from './Images';
import { Inputs } from './Inputs';
import { openEntries, type LedgerEntry } from './Ledger';
import { Listeners } from './Listeners';
import { reduce } from './reduce';
import { close, endedBySend, loseAll, supersede, withAction } from './requestChanges';
import { resultDocument } from './results';
import { SendQueue } from './SendQueue';
import { SessionEvents } from './SessionEvents';
import type { SessionHost, SessionIdentity } from './SessionHost';
import { initialState, type Change, type SessionState, type Transition } from './SessionState';
import { isWork } from './Turn';
import { Turns, type TurnOutcome } from './Turns';
import { UsageMeter } from './usage';
import type { WaitLimit } from './WaitLimit';

/** How long a message may go without any work before its place in the queue is given free, ms. */
const takeUpMs = 5000;

/** Looks at every envelope while an operation runs, after the state took it in. */
export type Watcher = (reading: Reading, changes: readonly Change[]) => void;

/**
 * What all operations of a session share: its state, its process, its turns, and the one path that every envelope
 * takes. Lives on over restarts of the process.
 */
export class SessionCore {
  state: SessionState = initialState;

  readonly listeners = new Listeners();

  readonly inputs = new Inputs();

  readonly events: SessionEvents;

  readonly turns: Turns;

  readonly queue: SendQueue;

  readonly usage: UsageMeter;

  readonly watchers = new Set<Watcher>();

  /** Every call that waits; all of them end when n8n does. */
  readonly limits = new Set<WaitLimit>();

  /** For diagnostics. */
  readonly problems = { count: 0, last: null as ProtocolProblem | null };

  /** Said with the next result, once: what was unknown when the last process ended. */
  lostInputs: string[] = [];

  shellRuns = false;

  private connection: Connection | undefined;

  private firstStatus: Promise<void> = Promise.resolve();

  private readonly images = new Images();

  private readonly expiries = new Map<string, ClockTimer>();

  /** Requests whose prompt Chord also sends as a `notification`, which would tell it twice. */
  private readonly promptsExpected = new Set<string>();

  private usedSessionId = '';

  private resuming = false;

  constructor(
    readonly identity: SessionIdentity,
    readonly host: SessionHost,
    readonly clock: Clock,
  ) {
    this.events = new SessionEvents(clock, () => this.describe());
    this.usage = new UsageMeter(identity.sessionsDirectory);
    this.turns = new Turns(clock, {
      state: () => this.state,
      usageBase: () => this.usage.base(this.state.sessionId),
      isTaken: (entry) => this.listeners.isTaken(this.events.requestTraits(entry)),
      ended: (outcome) => this.turnEnded(outcome),
    });
    this.queue = new SendQueue(() => ({
      open: openEntries(this.state.ledger).filter(endedBySend),
      busy: this.busy,
    }));
  }

  /** The session as it stands in items. */
  describe(): SessionDocument {
    return {
      key: this.identity.key,
      id: this.state.sessionId,
      name: this.identity.name,
      project_directory: this.identity.projectDirectory,
      role: this.state.role,
    };
  }

  /** Work goes on, or waits for a person. */
  get busy(): boolean {
    return this.state.busy || this.turns.running !== undefined || this.shellRuns;
  }

  get attached(): boolean {
    return this.connection !== undefined;
  }

  get pid(): number | undefined {
    return this.connection?.pid;
  }

  /**
   * The running process.
   *
   * @throws ChordError `process_exited` when there is none
   */
  get process(): Connection {
    if (!this.connection) {
      throw new ChordError('process_exited', 'Chord does not run in this session.', {
        sessionKey: this.identity.key,
        description: 'A Chord Send starts it.',
      });
    }
    return this.connection;
  }

  /** Starts a process and takes it on. */
  async attach(transport: Transport): Promise<void> {
    const connection: Connection = new Connection(
      transport,
      {
        envelope: (envelope, askedAtStep) => this.take(envelope, askedAtStep),
        problem: (problem) => this.problem(problem),
        exit: (report) => this.exit(connection, report),
      },
      () => this.state.step,
      this.clock,
    );
    await connection.start();
    this.connection = connection;
    this.lostInputs.push(...this.inputs.takeLost());
    await this.usage.read(this.state.sessionId);
    // The one probe that we make: it shows what this Chord can do, and what is open from before.
    this.firstStatus = connection.issue({ type: 'status' }, 'status_response').done.then(
      () => undefined,
      () => undefined,
    );
  }

  /** Resolves once Chord has shown what it can do, or has failed to. */
  known(): Promise<void> {
    return this.firstStatus;
  }

  /** Cancels the running turn. Not written while nothing runs: it would spoil the next turn's outcome (measured). */
  async cancel(): Promise<boolean> {
    if (!this.state.busy) return false;
    this.turns.running?.noteCancel();
    await this.process.issue({ type: 'cancel' }, 'untracked').written;
    return true;
  }

  /**
   * Resolves when Chord does not work on a message that nobody waits for: after a while, and a status that is not
   * busy. Never, once its turn began.
   */
  async notTakenUp(began: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => this.clock.after(takeUpMs, resolve));
    if (this.attached && !began()) await this.process.status();
    if (began() || this.state.busy) await new Promise<never>(() => undefined);
  }

  /** Puts in a state that an operation made, and acts on what changed. */
  apply({ state, changes }: Transition): void {
    this.state = state;
    for (const change of changes) this.act(change, null);
    this.settleDown();
  }

  /** Marks a decision as on its way, so that no second one is let through. */
  claim(requestId: string, action: LedgerEntry['action']): void {
    this.state = withAction(this.state, requestId, action);
    this.expiries.get(requestId)?.cancel();
  }

  /** Gives a claim back: nothing was written, so that the request is still open. */
  unclaim(requestId: string): void {
    this.state = withAction(this.state, requestId, null);
    const entry = this.state.ledger.get(requestId);
    if (entry) this.watchExpiry(entry);
  }

  /** A message was written or admitted: it closes what is open. */
  supersede(): void {
    this.apply(supersede(this.state, this.clock.now()));
  }

  /** The next switch of the session is to one that has messages; `false` when there was no switch after all. */
  expectResume(expected = true): void {
    this.resuming = expected;
  }

  /** Tells listeners of something about the process. */
  announce(event: string, facts: Record<string, unknown>, summary: string): void {
    this.listeners.tell({ event, isMain: true, suppressed: false }, () =>
      this.events.own(event, facts, summary),
    );
  }

  /** A finished turn as a result, with what it cost. */
  async result(outcome: Extract<TurnOutcome, { kind: 'ended' }>): Promise<ResultDocument> {
    return resultDocument({
      outcome: outcome.end,
      session: this.describe(),
      text: outcome.text,
      ...(outcome.end === 'failed' && { reason: outcome.error }),
      turn: outcome.turn,
      usage: await this.usageOf(outcome.usageBase),
    });
  }

  /** Something changed from which others may have waited. */
  settleDown(): void {
    this.queue.pump();
    this.host.touched();
  }

  private async usageOf(base: UsageDocument): Promise<UsageDocument | null> {
    return await this.usage.since(base, this.state.sessionId);
  }

  private turnEnded(outcome: Extract<TurnOutcome, { kind: 'ended' }>): void {
    const traits = { event: 'turn_finished', isMain: true, suppressed: false };
    void this.result(outcome).then((result) => {
      this.listeners.tell(traits, () => this.events.turnFinished(result));
    });
  }

  private take(envelope: Envelope, askedAtStep: number): void {
    const reading = readEnvelope(envelope);
    const before = this.state.sessionId;
    const { state, changes } = reduce(this.state, envelope, { now: this.clock.now(), askedAtStep });
    this.state = state;
    if (reading && this.isUse(reading)) this.sessionUsed();
    const opened = new Set<string>();
    for (const change of changes) {
      if (change.kind === 'opened') opened.add(change.entry.request.id);
      this.act(change, envelope.seq ?? null);
    }
    if (reading) {
      this.inputSeen(reading);
      this.turns.take(reading, changes);
      for (const watcher of [...this.watchers]) watcher(reading, changes);
    }
    if (!this.isOpening(reading, opened)) this.tell(envelope, reading);
    if (before !== this.state.sessionId || reading?.type === 'idle' || changes.length > 0) this.settleDown();
    else this.host.touched();
  }

  /** A pushed request is told by its opening; told once more as an envelope it would come twice. */
  private isOpening(reading: Reading | undefined, opened: ReadonlySet<string>): boolean {
    switch (reading?.type) {
      case 'confirm_request':
      case 'question_request':
      case 'handoff_request':
        return true;
      case 'question_updated':
        return opened.has(reading.payload.request_id);
      default:
        return false;
    }
  }

  private tell(envelope: Envelope, reading: Reading | undefined): void {
    if (reading?.type === 'image_result' && this.images.expect(reading.payload))
      return this.holdImage(envelope);
    if (reading?.type === 'image_artifact') this.imageChunk(reading);
    const traits = this.events.envelopeTraits(envelope, reading, this.isRepeatedPrompt(reading));
    this.listeners.tell(traits, () => this.events.envelope(envelope));
    return undefined;
  }

  /** Results whose images are still to come, by call. */
  private readonly heldImages = new Map<string, Envelope>();

  private holdImage(envelope: Envelope): void {
    const reading = readEnvelope(envelope);
    if (reading?.type === 'image_result') this.heldImages.set(reading.payload.call_id, envelope);
  }

  private imageChunk(reading: Extract<Reading, { type: 'image_artifact' }>): void {
    const images = this.images.take(reading.payload);
    const held = this.heldImages.get(reading.payload.call_id);
    if (!images || !held) return;
    this.heldImages.delete(reading.payload.call_id);
    for (const image of images) this.turns.running?.noteImage(image);
    const traits = this.events.envelopeTraits(held, undefined, false);
    this.listeners.tell(traits, () => this.events.envelope(held, images));
  }

  private act(change: Change, seq: number | null): void {
    if (change.kind === 'opened') {
      this.watchExpiry(change.entry);
      // A durable question is prompted for by itself, not by a notification.
      if (change.entry.protocol !== 'C') this.promptsExpected.add(change.entry.request.id);
      this.listeners.tell(this.events.requestTraits(change.entry), () =>
        this.events.request(change.entry, seq),
      );
    }
    if (change.kind === 'closed') {
      this.expiries.get(change.entry.request.id)?.cancel();
      this.expiries.delete(change.entry.request.id);
      this.promptsExpected.delete(change.entry.request.id);
      this.tellClosed(change.entry);
    }
    if (change.kind === 'session') {
      this.host.sessionChanged(change.sessionId, this.resuming ? 'used' : 'empty');
      this.usedSessionId = this.resuming ? change.sessionId : '';
      this.resuming = false;
    }
  }

  /** Our own answer is no news to anybody. */
  private tellClosed(entry: LedgerEntry): void {
    if (entry.closedBecause === null) return;
    const traits = { ...this.events.requestTraits(entry), event: 'request_closed' };
    // It carries the id of a request that was told before: it must not count as that request.
    delete (traits as { requestId?: string }).requestId;
    this.listeners.tell({ ...traits, isMain: true }, () => this.events.closed(entry));
  }

  /** Of the prompts that repeat a request which was told, one is left out for each. */
  private isRepeatedPrompt(reading: Reading | undefined): boolean {
    if (reading?.type !== 'notification' || reading.payload.reason !== 'user_input_required') return false;
    const [first] = this.promptsExpected;
    return first !== undefined && this.promptsExpected.delete(first);
  }

  /** D1 and D2 do not tell when a request times out, so its time is watched here. */
  private watchExpiry(entry: LedgerEntry): void {
    if (entry.request.expires_at === null) return;
    const left = Date.parse(entry.request.expires_at) - this.clock.now();
    this.expiries.set(
      entry.request.id,
      this.clock.after(Math.max(0, left), () => this.expire(entry.request.id)),
    );
  }

  private expire(requestId: string): void {
    const entry = this.state.ledger.get(requestId);
    if (entry?.state !== 'open' || entry.action !== null) return;
    this.apply(close(this.state, entry, 'expired', 'event', this.clock.now()));
  }

  private inputSeen(reading: Reading): void {
    if (reading.type === 'input_result') this.inputs.receipt(reading.payload);
    else if (isWork(reading) && this.state.capabilities.receipts !== true) this.inputs.workSeen();
  }

  private isUse(reading: Reading): boolean {
    return isWork(reading) || (reading.type === 'input_result' && reading.payload.status === 'queued');
  }

  /** From its first message on a session can be resumed. */
  private sessionUsed(): void {
    if (this.usedSessionId === this.state.sessionId) return;
    this.usedSessionId = this.state.sessionId;
    this.host.sessionChanged(this.state.sessionId, 'used');
  }

  private problem(problem: ProtocolProblem): void {
    this.problems.count += 1;
    this.problems.last = problem;
    this.announce(
      'protocol_error',
      { ...problem },
      `Chord wrote a line that could not be read: ${problem.sample}`,
    );
  }

  private exit(connection: Connection, report: ExitReport): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.shellRuns = false;
    this.inputs.exit();
    const answering = openEntries(this.state.ledger).filter((entry) => entry.action !== null);
    for (const entry of answering) this.inputs.loseAnswer(entry.request.id);
    this.state = { ...this.state, busy: false, phase: null, highestSeq: 0, transferring: false };
    this.apply(loseAll(this.state, this.clock.now()));
    this.turns.failAll(() => exitError(report));
    this.host.exited(report);
    this.settleDown();
  }
}
