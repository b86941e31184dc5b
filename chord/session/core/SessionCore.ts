import { timestamp, type Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { ExitReport, ProtocolProblem, Transport } from '../../process';
import { withFacts } from '../../protocol/capabilities';
import { namesOf, readEnvelope, type Envelope, type Reading } from '../../protocol/envelopes';
import { byteSize } from '../state/byteSize';
import { Connection, exitError } from '../connection/Connection';
import { approvalOffer } from '../offers/approvalOffer';
import type {
  AcknowledgeResult,
  Attribution,
  ChordEvent,
  FormOption,
  ResultDocument,
  SessionDocument,
} from '../contract';
import { EventPublisher } from '../events/EventPublisher';
import { UnconfirmedInputs } from '../input/UnconfirmedInputs';
import { KeptBytes } from '../state/KeptBytes';
import type { LedgerEntry } from '../state/Ledger';
import { Listeners } from '../events/Listeners';
import { reduce } from '../state/reduce';
import {
  cancelAll,
  close,
  endedByCancel,
  endedBySend,
  expiredAs,
  loseAll,
  supersede,
  markUnknown,
  withAction,
  withOffer,
} from '../state/requestTransitions';
import { RequestNotifier } from '../events/RequestNotifier';
import { resultDocument } from '../turns/resultDocument';
import { SendQueue } from '../input/SendQueue';
import { EventBuilder } from '../events/EventBuilder';
import type { SessionHost, SessionIdentity } from './SessionHost';
import { initialState, type Change, type SessionState, type Transition } from '../state/SessionState';
import { isWork } from '../turns/Turn';
import { TurnTracker } from '../turns/TurnTracker';
import type { EndedTurn } from '../turns/TurnWaiter';
import { UsageMeter } from '../turns/UsageMeter';
import type { CallLimit } from './CallLimit';
import { ActiveSession } from './ActiveSession';

/** How long a message may go without any work before its place in the queue is given free, ms. */
const takeUpMs = 5000;

/** Ids that one status may ask about. */
const maximumQuestionIds = 32;

/** Looks at every envelope while an operation runs, after the state took it in. */
export type Watcher = (reading: Reading, changes: readonly Change[]) => void;

/**
 * What all operations of a session share: its state, its process, its turns, and the one path that every envelope
 * takes. Lives on over restarts of the process.
 */
export class SessionCore {
  state: SessionState = initialState;

  readonly listeners = new Listeners({
    handOut: (event, options) => this.handOut(event, options),
    isOpen: (id) => this.state.ledger.get(id)?.state === 'open',
  });

  readonly inputs = new UnconfirmedInputs(
    () => timestamp(this.clock),
    (text) => this.identity.secrets?.mask(text) ?? text,
  );

  readonly events: EventBuilder;

  readonly turns: TurnTracker;

  readonly queue: SendQueue;

  readonly usage: UsageMeter;

  readonly active: ActiveSession;

  readonly watchers = new Set<Watcher>();

  /** Every call that waits; all of them end when n8n does. */
  readonly limits = new Set<CallLimit>();

  /** What is kept of results and closed requests. */
  readonly kept = new KeptBytes();

  /** Ends the counting of a closed request's bytes, by id. */
  private readonly keptRequests = new Map<string, () => void>();

  /** For diagnostics. */
  readonly problems = { count: 0, last: null as ProtocolProblem | null };

  /** Local shell commands that run, each by a mark of its own. */
  readonly shells = new Set<object>();

  private connection: Connection | undefined;

  /** How the last process ended. */
  private lastExit: ExitReport | undefined;

  /** The first status of a process, while it has not come. */
  probing: Promise<void> | undefined;

  private readonly requests: RequestNotifier;

  private readonly telling: EventPublisher;

  constructor(
    readonly identity: SessionIdentity,
    readonly host: SessionHost,
    readonly clock: Clock,
  ) {
    this.events = new EventBuilder(clock, () => this.describe());
    this.usage = new UsageMeter(identity.sessionsDirectory);
    this.active = new ActiveSession({
      state: () => this.state,
      moveTo: (sessionId) => (this.state = { ...this.state, sessionId }),
      host,
      usage: this.usage,
    });
    this.requests = new RequestNotifier(clock, this.listeners, this.events, (id) => this.expire(id));
    this.turns = new TurnTracker(clock, {
      state: () => this.state,
      usageBase: () => this.usage.base(this.state.sessionId),
      isTaken: (entry) => this.listeners.isTaken(this.events.requestTraits(entry)),
      ended: (outcome) => this.turnEnded(outcome),
    });
    this.telling = new EventPublisher(this.listeners, this.events, this.requests, this.turns, (bytes) =>
      host.keepImage(bytes),
    );
    this.queue = new SendQueue(() => ({
      open: this.state.ledger.open().filter(endedBySend),
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
    const turnRuns = this.turns.running !== undefined && !this.turns.isParked;
    return this.state.busy || turnRuns || this.shellRuns;
  }

  get shellRuns(): boolean {
    return this.shells.size > 0;
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
      if (this.lastExit?.expected === false) throw exitError(this.lastExit, this.identity.key);
      throw new ChordError('process_exited', 'Chord does not run in this session.', {
        sessionKey: this.identity.key,
        description: 'A Chord Send starts it.',
      });
    }
    return this.connection;
  }

  /**
   * Once a process was there it may have ended since, before anything was asked of it.
   *
   * @throws ChordError `process_exited` when there is none
   */
  refuseWithoutProcess(): void {
    void this.process;
  }

  /** Starts a process and takes it on. */
  async attach(transport: Transport): Promise<void> {
    const connection: Connection = new Connection(
      transport,
      {
        envelope: (envelope, askedAtStep) => this.accept(envelope, askedAtStep),
        problem: (problem) => this.problem(problem),
        exit: (report) => this.exit(connection, report),
      },
      () => this.state.step,
      this.clock,
    );
    await connection.start();
    if (connection.report) throw exitError(connection.report);
    this.connection = connection;
    this.inputs.report();
    const probing = this.probe(connection).then(() => {
      if (this.probing === probing) this.probing = undefined;
    });
    this.probing = probing;
    await this.usage.read(this.state.sessionId);
  }

  /**
   * The one probe that we make: it shows what this Chord can do, what is open from before, and how the durable
   * questions stand that were left behind.
   */
  private async probe(connection: Connection): Promise<void> {
    const ids = this.state.ledger.unknown().map(({ request }) => request.id);
    const asked = [connection.status(ids.slice(0, maximumQuestionIds))];
    for (let at = maximumQuestionIds; at < ids.length; at += maximumQuestionIds) {
      asked.push(connection.status(ids.slice(at, at + maximumQuestionIds)));
    }
    await Promise.allSettled(asked);
  }

  /** Resolves once Chord has shown what it can do, or has failed to. */
  known(): Promise<void> {
    return this.probing ?? Promise.resolve();
  }

  /** Cancels the running turn. Not written while nothing runs: it would spoil the next turn's outcome (measured). */
  async cancel(): Promise<boolean> {
    if (!this.state.busy) return false;
    this.turns.running?.noteCancel();
    const ended = endedByCancel(this.state);
    await this.process.issue({ type: 'cancel' }, 'untracked').written;
    this.apply(cancelAll(this.state, ended, this.clock.now()));
    return true;
  }

  /**
   * Resolves when Chord does not work on a message that nobody waits for: after a while, and a status that is not
   * busy. Never, once its turn began.
   */
  async untilIgnored(began: () => boolean): Promise<void> {
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
  claim(
    requestId: string,
    action: NonNullable<LedgerEntry['action']>,
    reason: string,
    attribution?: Attribution,
  ): void {
    const entry = this.state.ledger.get(requestId);
    if (entry && 'report' in entry.request && action === 'deny') this.turns.running?.noteDeniedReport(reason);
    this.state = withAction(this.state, requestId, action, attribution);
    this.requests.disarm(requestId);
  }

  /** The event of a request as somebody gets it; what its form offers is noted, since nothing else is accepted. */
  handOut(event: ChordEvent, options: readonly FormOption[]): ChordEvent {
    const entry = event.request && this.state.ledger.get(event.request.id);
    if (!entry || options.length === 0) return event;
    const offer = approvalOffer(entry, options);
    this.state = withOffer(this.state, entry.request.id, offer);
    return { ...event, offer };
  }

  /** Gives a claim back: the answer did not count, so that the request is still open. */
  withdraw(requestId: string): void {
    this.inputs.settleAnswer(requestId);
    const entry = this.state.ledger.get(requestId);
    if (entry?.state !== 'open') return;
    if ('report' in entry.request) this.turns.running?.noteDeniedReport(null);
    this.state = withAction(this.state, requestId, null);
    this.requests.arm(entry);
  }

  /** Nothing tells how a durable question stands; the next status that names it does. */
  markUnknown(requestId: string): void {
    this.state = markUnknown(this.state, requestId, this.clock.now());
  }

  /** A message was written or admitted: it closes what was open and had not been answered before it. */
  supersede(answered: ReadonlySet<string>): void {
    // Chord denies a report that waits to be accepted, and tells it all the same.
    const report = this.state.ledger.open().find(({ request }) => 'report' in request);
    if (report && !answered.has(report.request.id)) {
      this.turns.running?.noteDeniedReport('A message came instead.');
    }
    this.apply(supersede(this.state, answered, this.clock.now()));
  }

  /** A person knows what is unknown, and that a transfer is over, whose last event may be lost. */
  acknowledge(): AcknowledgeResult {
    const { transferring } = this.state;
    const unknown_inputs = this.inputs.acknowledge();
    this.apply({ state: { ...this.state, transferring: false }, changes: [] });
    return { unknown_inputs, transfer_lifted: transferring };
  }

  /** This Chord gives no receipts. */
  noReceipts(): void {
    if (this.state.capabilities.receipts !== null) return;
    this.state = { ...this.state, capabilities: withFacts(this.state.capabilities, { receipts: false }) };
  }

  /** Tells listeners of something about the process. */
  announce(event: string, facts: Record<string, unknown>, summary: string): void {
    this.listeners.publish({ event, isMain: true, suppressed: false }, () =>
      this.events.own(event, facts, summary),
    );
  }

  /** A finished turn as a result, with what it cost. */
  async result(outcome: EndedTurn): Promise<ResultDocument> {
    await this.active.find();
    return resultDocument({
      outcome: outcome.end,
      session: this.describe(),
      text: outcome.text,
      ...(outcome.end === 'failed' && { reason: outcome.error }),
      turn: outcome.turn,
      usage: this.active.isKnown ? await this.usage.since(outcome.usageBase, this.state.sessionId) : null,
    });
  }

  /** Something changed from which others may have waited. */
  settleDown(): void {
    this.queue.pump();
    this.host.touched();
  }

  private turnEnded(outcome: EndedTurn): void {
    const traits = { event: 'turn_finished', isMain: true, suppressed: false };
    // Nothing of it is expected to throw; if it does, n8n must not end by it.
    void this.result(outcome)
      .then((result) => this.listeners.publish(traits, () => this.events.turnFinished(result)))
      .catch(() => undefined);
  }

  /**
   * Takes an envelope in. A fault of ours must neither end the reading of stdout nor stay unseen.
   *
   * @returns false for a snapshot that came too late to tell anything
   */
  private accept(envelope: Envelope, askedAtStep: number): boolean {
    try {
      return this.handle(envelope, askedAtStep);
    } catch (error) {
      this.problem({
        reason: 'not_handled',
        ...namesOf(envelope),
        sample: String(error).slice(0, 200),
        bytes: 0,
      });
      return true;
    }
  }

  private handle(envelope: Envelope, askedAtStep: number): boolean {
    const reading = readEnvelope(envelope);
    const before = this.state;
    const { state, changes } = reduce(this.state, envelope, { now: this.clock.now(), askedAtStep });
    this.state = state;
    if (reading && this.isUse(reading)) this.active.used();
    for (const change of changes) this.act(change, envelope.seq ?? null);
    if (reading) {
      this.inputSeen(reading);
      // Images that have not come by now do not come; the turn that ends must know.
      if (reading.type === 'idle') this.telling.release();
      this.turns.accept(reading, changes);
      if (this.watchers.size > 0) for (const watcher of [...this.watchers]) watcher(reading, changes);
    }
    this.telling.accept(envelope, reading, changes);
    const rests = before.busy && !this.state.busy;
    if (rests || reading?.type === 'idle' || changes.length > 0) this.settleDown();
    else this.host.touched();
    return !changes.some(({ kind }) => kind === 'stale');
  }

  private act(change: Change, seq: number | null): void {
    if (change.kind === 'opened') {
      this.requests.opened(change.entry, seq);
      this.checkArguments(change.entry);
    }
    if (change.kind === 'closed') {
      this.requests.closed(change.entry);
      this.inputs.settleAnswer(change.entry.request.id);
      this.keepClosed(change.entry);
    }
    if (change.kind === 'session') this.active.switched(change.sessionId);
  }

  /** A closed request keeps its details as long as there is room for them. */
  private keepClosed({ request, payload }: LedgerEntry): void {
    const { id } = request;
    this.keptRequests.get(id)?.();
    const release = this.kept.keep(byteSize([request, payload]), () => {
      this.keptRequests.delete(id);
      this.state = { ...this.state, ledger: this.state.ledger.withoutDetails(id) };
    });
    if (this.state.ledger.get(id)?.detailsDropped !== true) this.keptRequests.set(id, release);
  }

  /** Closes a request whose time is over, should its timer come too late. */
  expireIfDue(requestId: string): void {
    const entry = this.state.ledger.get(requestId);
    const expiresAt = entry?.request.expires_at ?? null;
    if (expiresAt === null || entry?.protocol === 'C' || Date.parse(expiresAt) > this.clock.now()) return;
    this.expire(requestId);
  }

  private expire(requestId: string): void {
    const entry = this.state.ledger.get(requestId);
    if (entry?.state !== 'open' || entry.action !== null) return;
    this.apply(close(this.state, entry, expiredAs(entry), 'event', this.clock.now()));
  }

  private inputSeen(reading: Reading): void {
    if (reading.type === 'input_result') this.inputs.receipt(reading.payload);
    else if (isWork(reading) && this.state.capabilities.receipts !== true) this.inputs.workSeen();
  }

  private isUse(reading: Reading): boolean {
    return isWork(reading) || (reading.type === 'input_result' && reading.payload.status === 'queued');
  }

  /** Arguments that should be JSON but were taken as text: the person sees them, and it is said once. */
  private checkArguments({ request }: LedgerEntry): void {
    if (request.kind !== 'confirm' || typeof request.arguments !== 'string') return;
    const source = request.arguments;
    if (!/^\s*[{[]/.test(source)) return;
    this.problem({
      reason: 'arguments_unreadable',
      type: 'confirm_request',
      request_id: request.id,
      sample: source.slice(0, 200),
      bytes: Buffer.byteLength(source),
    });
  }

  private problem(problem: ProtocolProblem): void {
    this.problems.count += 1;
    this.problems.last = problem;
    const { reason, type, request_id: id } = problem;
    const named = type === undefined ? 'a line' : id === undefined ? type : `${type} ${id}`;
    const what =
      reason === 'arguments_unreadable'
        ? 'whose arguments could only be given as text'
        : 'that could not be read';
    this.announce('protocol_error', { ...problem }, `Chord wrote ${named} ${what}: ${problem.sample}`);
  }

  private exit(connection: Connection, report: ExitReport): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.lastExit = report;
    this.shells.clear();
    this.inputs.exit();
    const answering = this.state.ledger.open().filter((entry) => entry.action !== null);
    this.telling.release();
    // A block by a transfer stays until another process has opened the session.
    this.state = { ...this.state, busy: false, parked: false, phase: null, runningJobs: null, highestSeq: 0 };
    this.apply(loseAll(this.state, this.clock.now()));
    for (const entry of answering) this.inputs.loseAnswer(entry.request.id);
    this.turns.failAll(() => exitError(report));
    this.host.exited(report);
    this.settleDown();
  }
}
