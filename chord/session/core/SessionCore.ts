import { timestamp, type Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { ExitReport, Transport } from '../../process';
import { withFacts } from '../../protocol/capabilities';
import { exitError, type Connection } from '../connection/Connection';
import type { AcknowledgeResult, SessionDocument } from '../contract';
import { EventPublisher } from '../events/EventPublisher';
import { ProtocolProblems } from '../events/ProtocolProblems';
import { SendQueue } from '../input/SendQueue';
import { UnconfirmedInputs } from '../input/UnconfirmedInputs';
import { KeptBytes } from '../state/KeptBytes';
import { endedBySend, loseAll } from '../state/requestTransitions';
import type { SessionState } from '../state/SessionState';
import { TurnTracker } from '../turns/TurnTracker';
import type { EndedTurn } from '../turns/TurnWaiter';
import { UsageMeter } from '../turns/UsageMeter';
import { ActiveSession } from './ActiveSession';
import { AttachedProcess } from './AttachedProcess';
import type { CallLimit, Limits } from './CallLimit';
import { checkInput } from './checkInput';
import { EnvelopeIntake, type Watcher } from './EnvelopeIntake';
import { LocalShells } from './LocalShells';
import type { SessionHost, SessionIdentity } from './SessionHost';
import { SessionRequests } from './SessionRequests';
import { StateStore } from './StateStore';
import { TurnResults } from './TurnResults';
import { WaitingCalls } from './WaitingCalls';

/**
 * What all operations of a session share: its state, its process and its turns. Lives on over restarts of the process.
 */
export class SessionCore {
  /** What is kept of results and closed requests. */
  readonly kept = new KeptBytes();

  readonly inputs: UnconfirmedInputs;

  readonly requests: SessionRequests;

  readonly turns: TurnTracker;

  readonly active: ActiveSession;

  readonly events: EventPublisher;

  readonly queue: SendQueue;

  readonly results: TurnResults;

  private readonly store: StateStore;

  private readonly problems: ProtocolProblems;

  private readonly usage: UsageMeter;

  private readonly process: AttachedProcess;

  private readonly calls: WaitingCalls;

  private readonly intake: EnvelopeIntake;

  private readonly shells = new LocalShells({ over: () => this.settleDown() });

  constructor(
    readonly identity: SessionIdentity,
    readonly host: SessionHost,
    readonly clock: Clock,
  ) {
    this.store = new StateStore({
      clock,
      opened: (entry, seq) => {
        this.requests.watchTime(entry);
        this.events.opened(entry, seq);
        this.problems.noteArguments(entry);
      },
      closed: (entry) => {
        this.events.closed(entry);
        this.requests.keepClosed(entry);
      },
      switched: (sessionId) => this.active.switched(sessionId),
      settleDown: () => this.settleDown(),
    });
    const state = (): SessionState => this.state;
    const session = (): SessionDocument => this.describe();
    const runningTurn = () => this.turns.running;
    this.inputs = new UnconfirmedInputs({
      now: () => timestamp(clock),
      masked: (text) => identity.secrets?.mask(text) ?? text,
    });
    this.requests = new SessionRequests({
      clock,
      store: this.store,
      runningTurn,
      inputs: this.inputs,
      kept: this.kept,
    });
    this.events = new EventPublisher({
      clock,
      session,
      runningTurn,
      recordOffer: (event, options) => this.requests.recordOffer(event, options),
      isOpen: (id) => this.state.ledger.get(id)?.state === 'open',
      keepImage: (bytes) => host.keepImage(bytes),
    });
    this.problems = new ProtocolProblems(this.events);
    this.usage = new UsageMeter(identity.sessionsDirectory);
    this.active = new ActiveSession({
      state,
      moveTo: (sessionId) => this.store.set({ ...this.state, sessionId }),
      host,
      usage: this.usage,
    });
    this.results = new TurnResults({ session, active: this.active, usage: this.usage });
    this.turns = new TurnTracker({
      clock,
      state,
      usageBase: () => this.usage.base(this.state.sessionId),
      isTaken: (entry) => this.events.isTaken(entry),
      ended: (outcome) => this.turnEnded(outcome),
    });
    this.queue = new SendQueue({
      check: ({ releaseHeld }) => checkInput(this, releaseHeld),
      situation: () => ({ open: this.state.ledger.open().filter(endedBySend), busy: this.busy }),
    });
    this.calls = new WaitingCalls(clock);
    this.intake = new EnvelopeIntake({
      store: this.store,
      active: this.active,
      inputs: this.inputs,
      turns: this.turns,
      events: this.events,
      problems: this.problems,
      settleDown: () => this.settleDown(),
      touched: () => host.touched(),
    });
    this.process = new AttachedProcess({
      clock,
      sessionKey: identity.key,
      step: () => this.state.step,
      unknownQuestions: () => this.state.ledger.unknown().map(({ request }) => request.id),
      accept: (envelope, askedAtStep) => this.intake.accept(envelope, askedAtStep),
      problem: (problem) => this.problems.note(problem),
      exit: (report) => this.exit(report),
    });
  }

  get state(): SessionState {
    return this.store.state;
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

  /** What Status tells for whoever looks for a fault. */
  diagnostics(): Record<string, unknown> {
    return {
      pid: this.process.pid ?? null,
      envelopes: this.state.step,
      unreadable_lines: this.problems.count,
      last_unreadable_line: this.problems.last,
      listeners: this.events.listenerCount,
      failed_listener_calls: this.events.failedCalls,
      waiting_calls: this.calls.count,
    };
  }

  /** Work goes on, or waits for a person. */
  get busy(): boolean {
    const turnRuns = this.turns.running !== undefined && !this.turns.isParked;
    return this.state.busy || turnRuns || this.isShellRunning;
  }

  get isShellRunning(): boolean {
    return this.shells.isRunning();
  }

  /** Calls that wait. */
  get waitingCalls(): number {
    return this.calls.count;
  }

  isRunning(): boolean {
    return this.process.isRunning();
  }

  /**
   * The connection to the running process.
   *
   * @throws ChordError `process_exited` when none runs
   */
  get connection(): Connection {
    return this.process.connection;
  }

  /**
   * Once a process was there it may have ended since, before anything was asked of it.
   *
   * @throws ChordError `process_exited` when none runs
   */
  checkRunning(): void {
    void this.process.connection;
  }

  /** Starts a process and takes it on. */
  async attach(transport: Transport): Promise<void> {
    await this.process.attach(transport);
    this.inputs.turnIntoWarnings();
    await this.usage.read(this.state.sessionId);
  }

  /** While Chord has not shown what it can do, resolves once it has, or has failed to. */
  get untilKnown(): Promise<void> | undefined {
    return this.process.untilKnown;
  }

  /** Has every envelope from now on looked at; the returned function ends that. */
  watch(watcher: Watcher): () => void {
    return this.intake.watch(watcher);
  }

  /** Runs a call under its time limit and its caller's stop signal. */
  limited<Result>(limits: Limits, call: (limit: CallLimit) => Promise<Result>): Promise<Result> {
    return this.calls.limited(limits, call);
  }

  /** Runs a local shell command; the session is busy meanwhile. */
  runShell<Result>(command: () => Promise<Result>): Promise<Result> {
    return this.shells.run(command);
  }

  /** A person knows what is unknown, and that a transfer is over, whose last event may be lost. */
  acknowledge(): AcknowledgeResult {
    const { transferring } = this.state;
    const unknown_inputs = this.inputs.acknowledge();
    this.store.apply({ state: { ...this.state, transferring: false }, changes: [] });
    return { unknown_inputs, transfer_lifted: transferring };
  }

  /** Notes that this Chord gives no receipts, as far as it has not shown that itself. */
  noteNoReceipts(): void {
    if (this.state.capabilities.receipts !== null) return;
    const capabilities = withFacts(this.state.capabilities, { receipts: false });
    this.store.set({ ...this.state, capabilities });
  }

  /** Ends every wait: n8n shuts down. */
  interrupt(reason: string): void {
    this.calls.interruptAll();
    this.queue.failAll(new ChordError('interrupted', reason, { sessionKey: this.identity.key }));
  }

  private turnEnded(outcome: EndedTurn): void {
    // Nothing of it is expected to throw; if it does, n8n must not end by it.
    void this.results
      .result(outcome)
      .then((result) => this.events.turnFinished(result))
      .catch(() => undefined);
  }

  /** Something changed from which others may have waited. */
  private settleDown(): void {
    this.queue.pump();
    this.host.touched();
  }

  private exit(report: ExitReport): void {
    this.shells.forget();
    this.inputs.exit();
    const answering = this.state.ledger.open().filter((entry) => entry.action !== null);
    this.events.releaseHeld();
    // A block by a transfer stays until another process has opened the session.
    const rest = { busy: false, parked: false, phase: null, runningJobs: null, highestSeq: 0 };
    this.store.apply(loseAll({ ...this.state, ...rest }, this.clock.now()));
    for (const entry of answering) this.inputs.loseAnswer(entry.request.id);
    this.turns.failAll(() => exitError(report));
    this.host.exited(report);
    this.settleDown();
  }
}
