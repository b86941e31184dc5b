import { setImmediate as nextRound } from 'node:timers/promises';
import type { Clock } from '../clock';
import { ChordError } from '../errors';
import { SecretMask, type ExitReport, type Transport } from '../process';
import {
  disturbing,
  exitError,
  type AcknowledgeResult,
  type CallControl,
  type CallKeeper,
  type CallResult,
  type FirstMessage,
  type SendRequest,
  type SessionHost,
  type SessionIdentity,
  type SessionsBefore,
  type StatusDocument,
  type StatusRequest,
  type DecisionAttempt,
  type WaitDocument,
} from '../session';
import type { RunningCalls } from './calls/RunningCalls';
import type { ConnectionSettings, OpenRequest, StartOptions, StopOptions } from './contract';
import { HandoffSessionLocator } from './pin/HandoffSessionLocator';
import { IdleClock } from './start/IdleClock';
import { formatKey, type KeyParts } from './address/key';
import { maskErrors } from './lease/maskErrors';
import { ownedTransport } from './owners/ownedTransport';
import { OwnerLock } from './owners/OwnerLock';
import type { Owners } from './owners/Owners';
import type { PinStore } from './pin/PinStore';
import { ProcessSlot } from './start/ProcessSlot';
import { namingHolders } from './lease/namingHolders';
import { Restarts } from './start/Restarts';
import type { MakeSession, LeasedSession } from './lease/LeasedSession';
import { SessionLease, type LeaseHolder } from './lease/SessionLease';
import { SessionPin } from './pin/SessionPin';
import { sessionsDirectory } from './pin/sessionsDirectory';
import { newSession, planStart, type StartPlan } from './start/startPlan';
import { checkResume, continuePinned, wrongSession } from './start/checkResume';

/** What one session needs of the registry around it. */
export interface SessionDeps {
  readonly clock: Clock;
  readonly owners: Owners;
  readonly pins: PinStore;
  readonly makeSession: MakeSession;
  makeTransport(settings: ConnectionSettings, parts: KeyParts, plan: StartPlan): Transport;
  /** Puts the bytes of an image into a file, and gives its path. */
  keepImage(bytes: Buffer): string;
  /** Writes a decision into the audit. */
  onDecisionAttempt(decision: DecisionAttempt, withArguments: boolean): void;
  /** The calls that are under way in all sessions. */
  readonly running: RunningCalls;
  /** Keeps what is written, over the life of this process. */
  callsOf(sessionKey: string): CallKeeper;
  /** The executions of n8n that are suspended for a session. */
  waitsFor(sessionKey: string): WaitDocument[];
  /** Nobody holds the session any more, and it has no process. */
  unused(session: ManagedSession): void;
}

/**
 * One session of the registry: who holds it, its one process over all restarts, its pin and its owner lock. It
 * decides when a process is started and stopped; what is said over it is the session's.
 */
export class ManagedSession implements SessionHost, LeaseHolder {
  readonly key: string;

  readonly session: LeasedSession;

  readonly calls: CallKeeper;

  readonly running: RunningCalls;

  private readonly leases = new Set<SessionLease>();

  private readonly slot: ProcessSlot;

  private readonly lock: OwnerLock;

  private readonly pin: SessionPin;

  private readonly trail: HandoffSessionLocator;

  private readonly idle: IdleClock;

  private readonly restarts: Restarts;

  /** How the process was started that is in the slot. */
  private plan: StartPlan = newSession;

  /** Why there is no process, unless it crashed. */
  private stopped: 'never_started' | 'idle' | 'stopped' = 'never_started';

  constructor(
    readonly parts: KeyParts,
    private settings: ConnectionSettings,
    private readonly deps: SessionDeps,
  ) {
    const { clock, owners, pins } = deps;
    this.key = formatKey(parts);
    this.calls = deps.callsOf(this.key);
    this.running = deps.running;
    this.slot = new ProcessSlot(this.key);
    this.lock = new OwnerLock(owners, this.key, (how) => void this.replaced(how));
    this.pin = new SessionPin(pins, this.key, parts.projectDirectory, clock);
    this.trail = new HandoffSessionLocator(this.key, parts, this.pin, pins, () => this.settings);
    this.session = deps.makeSession(this.identity(), this, clock);
    this.idle = new IdleClock(clock, {
      timeoutMs: () => this.settings.idleTimeoutMs,
      mayStop: () => this.leases.size === 0 && this.session.isIdle,
      stop: () => void this.end('idle'),
    });
    this.restarts = new Restarts(clock, {
      key: this.key,
      session: this.session,
      isSwitchedOn: () => this.settings.restartOnCrash,
      isWanted: () => this.isWanted,
      restart: () => void this.ensureProcess().catch(() => undefined),
    });
  }

  /** True while somebody holds it or a process is there. */
  get isUsed(): boolean {
    return this.leases.size > 0 || this.slot.isTaken;
  }

  /** True once it has had a process: its requests may be asked for. */
  get hasRun(): boolean {
    return this.session.sessionId !== '';
  }

  /** A start failed shortly ago: what is known of it has to stay known. */
  get hasFailed(): boolean {
    return this.restarts.document.failed > 0;
  }

  /** Leases the session; the newest settings count from the next start on. */
  async lease(request: OpenRequest): Promise<SessionLease> {
    this.settings = request.settings;
    const lease = new SessionLease(this, request);
    this.leases.add(lease);
    try {
      if (lease.mayStart) await this.lock.acquire(request.waitsForOwner ?? true);
      if (request.process === 'now') await this.prepare(lease);
      else if (lease.mayStart && this.session.attached)
        checkResume(lease.pendingStart, this.session, this.key);
      return maskErrors(lease, this.secrets);
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  onDecisionAttempt(decision: DecisionAttempt): void {
    this.deps.onDecisionAttempt(this.masked(decision), this.settings.auditArguments);
  }

  /** A decision without the credential's secrets: people's words, and ids stay as they are. */
  masked({ refused, reason, rule, arguments: args, ...facts }: DecisionAttempt): DecisionAttempt {
    return { ...facts, ...this.secrets.masked({ refused, reason, rule, arguments: args }) };
  }

  /** What may be shown of the credential. */
  private get secrets(): SecretMask {
    return SecretMask.of(this.settings);
  }

  async release(lease: SessionLease): Promise<void> {
    this.leases.delete(lease);
    this.idle.used();
    await this.settle();
  }

  async prepare(lease: SessionLease): Promise<void> {
    const wish = lease.consumeStart();
    try {
      if (await this.ensure(wish, lease.attended)) return;
      checkResume(wish, this.session, this.key);
      if (wish.mode === 'new') await this.session.beginSession(() => this.hasMessages);
    } catch (error) {
      lease.pendingStart = wish;
      throw error;
    }
  }

  async acknowledge(): Promise<AcknowledgeResult> {
    const result = await this.session.acknowledge();
    this.restarts.acknowledged();
    return result;
  }

  async restarted(): Promise<void> {
    await this.restarts.soon();
    await this.slot.settled();
  }

  async send(lease: SessionLease, request: SendRequest, control?: CallControl): Promise<CallResult> {
    const wish = lease.consumeStart();
    const isFirst = wish.mode === 'new';
    const progress = { written: false };
    const first: FirstMessage = {
      needsSession: () => this.hasMessages,
      written: () => {
        progress.written = true;
      },
    };
    try {
      if (!(await this.ensure(wish, lease.attended))) checkResume(wish, this.session, this.key);
      return await this.session.send(request, control, isFirst ? first : undefined);
    } catch (error) {
      // Once the message is written its session was begun, and the holder's next one goes there too.
      if (!isFirst || !progress.written) lease.pendingStart = wish;
      throw error;
    }
  }

  async snapshot(request: StatusRequest): Promise<StatusDocument> {
    const status = await this.session.status(request);
    const { state, document, lastError } = this.restarts;
    return {
      ...status,
      start: document,
      last_error: lastError ?? status.last_error,
      stopped_because: status.running ? null : state === 'none' ? this.stopped : state,
      diagnostics: request.diagnostics ? { ...status.diagnostics, ...this.diagnostics() } : null,
    };
  }

  /** Ends the process; refused while that would disturb somebody, unless forced. */
  async stop({ force, holder = '' }: StopOptions): Promise<void> {
    if (!force) await namingHolders(this, holder, () => this.refuseToStop('Chord was not stopped'));
    await this.end('stopped');
  }

  private refuseToStop(what: string): void {
    if (this.slot.isStarting) throw disturbing(what, ['it is being started'], { sessionKey: this.key });
    if (this.session.attached) this.session.refuseToDisturb(what);
  }

  /** Who holds the session, by the names that they gave. */
  get holders(): string[] {
    return [...this.leases].map((lease) => lease.holder);
  }

  /** Ends everything for good, with n8n. Waiters are told before their process goes. */
  async shutdown(): Promise<void> {
    this.session.interrupt('The wait ended: n8n shuts down.');
    this.restarts.forget();
    this.idle.stop();
    this.stopped = 'stopped';
    await this.slot.close();
    await this.pin.saved();
    await this.lock.release();
  }

  /** The last moment of this operating-system process, when nothing asynchronous runs any more. */
  killNow(): void {
    this.slot.killNow();
    this.lock.releaseNow();
  }

  // What the session asks of its host.

  waits(): WaitDocument[] {
    return this.deps.waitsFor(this.key);
  }

  async ensureProcess(): Promise<void> {
    await this.ensure(continuePinned, '');
  }

  sessionChanged(sessionId: string, content: 'empty' | 'used'): void {
    if (!this.slot.isStarting) {
      this.pin.note(sessionId, content);
    } else if (!this.isAnother(sessionId)) {
      // One that opened another session than the one it was told is stopped, and must not move the pin.
      this.pin.note(sessionId, content === 'used' ? content : this.plan.content);
    }
  }

  keepImage(bytes: Buffer): string {
    return this.deps.keepImage(bytes);
  }

  sessionsBefore(): SessionsBefore {
    return this.trail.before();
  }

  handedOff(before: SessionsBefore, proved: boolean): void {
    this.pin.noteHandoff(before, proved);
  }

  sessionSince(): Promise<string | undefined> {
    return this.trail.found();
  }

  touched(): void {
    this.idle.used();
  }

  exited(report: ExitReport): void {
    if (this.slot.isFilling) {
      this.slot.lose(exitError(report));
      return;
    }
    this.slot.empty();
    this.idle.stop();
    if (!report.expected) this.restarts.crashed(report);
    void this.settle();
  }

  /** @returns true when this very call started the process, as it wished */
  private async ensure(wish: StartOptions, attended: string): Promise<boolean> {
    try {
      return await this.slot.ensure(() => this.start(wish, attended));
    } catch (error) {
      void this.settle();
      throw error;
    }
  }

  private async start(wish: StartOptions, attended: string): Promise<void> {
    this.restarts.starting({ settings: this.settings, wish, attended });
    try {
      await this.lock.acquire(true);
      const pin = await this.pin.load().catch((error: unknown) => {
        // A damaged pin matters only to who wants to continue it.
        if (wish.mode === 'continue') throw error;
        return undefined;
      });
      await this.launch(planStart(wish, wish.mode === 'continue' ? await this.trail.follow(pin) : pin));
    } catch (error) {
      throw this.restarts.startFailed(this.secrets.maskError(error), wish);
    }
  }

  private async launch(plan: StartPlan): Promise<void> {
    this.plan = plan;
    const process = this.deps.makeTransport(this.settings, this.parts, plan);
    const transport = ownedTransport(process, this.lock, this.key);
    try {
      await this.slot.fill(
        transport,
        (process) => this.bringUp(process),
        () => this.isUp(),
      );
    } catch (error) {
      const notFound = ChordError.is(error) && error.code === 'session_not_found';
      if (!notFound || !plan.orNew) throw error;
      await this.launch(newSession);
    }
  }

  private async bringUp(transport: Transport): Promise<void> {
    await this.session.attach(transport);
    if (this.isAnother(this.session.sessionId)) {
      throw wrongSession(this.plan.sessionId, this.session, this.key);
    }
    await this.trail.locate();
    // The session tells only of a change; the pin may have said something else all the same.
    this.pin.note(this.session.sessionId, this.plan.content);
  }

  private isUp(): void {
    this.restarts.started();
    this.idle.start();
  }

  /** The session that Chord works in is not a new one any more. */
  private get hasMessages(): boolean {
    return this.pin.current?.content !== 'empty';
  }

  private isAnother(sessionId: string): boolean {
    return this.plan.kind === 'resume' && this.plan.sessionId !== sessionId;
  }

  /** Somebody holds the session who may start it. */
  private get isWanted(): boolean {
    return [...this.leases].some((lease) => lease.mayStart);
  }

  private async end(reason: 'idle' | 'stopped'): Promise<void> {
    this.restarts.forget();
    this.idle.stop();
    if (this.hasRun) this.stopped = reason;
    await this.slot.stop();
    await this.settle();
  }

  /** Another n8n took the session over while this one did not run: its Chord must not work beside that one's. */
  private async replaced(how: string): Promise<void> {
    // Who was just about to write gets its own error: that nothing was written.
    await nextRound();
    if (!this.slot.isTaken) return;
    const facts = { exit_code: null, signal: null, stderr_tail: '', restart: 'replaced' };
    this.session.announce('process_exited', facts, `Chord was stopped: ${how}.`);
    this.session.interrupt(`The wait ended: ${how}.`);
    await this.end('stopped');
  }

  /** Gives back what nobody needs any more; resolves when it is given back. Never rejects. */
  private async settle(): Promise<void> {
    if (this.isWanted || this.slot.isTaken) return;
    this.restarts.cancelTimer();
    await this.lock.release();
    if (!this.isUsed) this.deps.unused(this);
  }

  /** Read anew at each use: the credential may be changed while the session lives. */
  private identity(): SessionIdentity {
    const current = () => this.settings;
    return {
      key: this.key,
      name: this.parts.name,
      projectDirectory: this.parts.projectDirectory,
      get allowLocalShell() {
        return current().allowLocalShell;
      },
      get sessionsDirectory() {
        return sessionsDirectory(current());
      },
      get secrets() {
        return SecretMask.of(current());
      },
    };
  }

  private diagnostics(): Record<string, unknown> {
    return {
      pid: this.slot.pid ?? null,
      holders: this.holders,
      pinned_session_id: this.pin.current?.session_id ?? null,
      pin_problem: this.pin.problem ?? null,
      resume_problems: this.waits().flatMap(({ execution_id, problem }) =>
        problem === null ? [] : [`Execution ${execution_id}: ${problem}`],
      ),
    };
  }
}
