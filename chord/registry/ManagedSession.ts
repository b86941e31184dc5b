import type { Clock } from '../clock';
import { SecretMask, type Transport } from '../process';
import type {
  AcknowledgeResult,
  CallControl,
  CallKeeper,
  CallResult,
  DecisionAttempt,
  FirstMessage,
  SendRequest,
  SessionIdentity,
  StatusDocument,
  StatusRequest,
  WaitDocument,
} from '../session';
import { formatKey, type KeyParts } from './address/key';
import type { RunningCalls } from './calls/RunningCalls';
import type { ConnectionSettings, OpenRequest, StopOptions } from './contract';
import type { LeasedSession, MakeSession } from './lease/LeasedSession';
import { maskErrors } from './lease/maskErrors';
import { namingHolders } from './lease/namingHolders';
import { SessionLease, type LeaseHolder } from './lease/SessionLease';
import type { Owners } from './owners/Owners';
import type { PinStore } from './pin/PinStore';
import { sessionsDirectory } from './pin/sessionsDirectory';
import { checkResume } from './start/checkResume';
import { SessionProcess } from './start/SessionProcess';
import type { StartPlan } from './start/startPlan';

/** What one session needs from the registry. */
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

/** One session of the registry: who holds it, and what they may do with it; its process is a {@link SessionProcess}. */
export class ManagedSession implements LeaseHolder {
  readonly key: string;

  readonly session: LeasedSession;

  readonly running: RunningCalls;

  private readonly leases = new Set<SessionLease>();

  private readonly process: SessionProcess;

  constructor(
    readonly parts: KeyParts,
    private settings: ConnectionSettings,
    private readonly deps: SessionDeps,
  ) {
    const { clock, owners, pins } = deps;
    const key = formatKey(parts);
    this.key = key;
    this.running = deps.running;
    this.process = new SessionProcess({
      clock,
      owners,
      pins,
      key,
      parts,
      makeTransport: (...started) => deps.makeTransport(...started),
      settings: () => this.settings,
      secrets: () => this.secrets,
      session: () => this.session,
      isHeld: () => this.leases.size > 0,
      isWanted: () => [...this.leases].some((lease) => lease.mayStart),
      settled: () => {
        if (!this.isUsed) deps.unused(this);
      },
    });
    const host = {
      ...this.process.host,
      calls: deps.callsOf(key),
      waits: () => deps.waitsFor(key),
      keepImage: (bytes: Buffer) => deps.keepImage(bytes),
      onDecisionAttempt: (decision: DecisionAttempt) =>
        deps.onDecisionAttempt(this.masked(decision), this.settings.auditArguments),
    };
    this.session = deps.makeSession(this.identity(), host, clock);
  }

  /** True while somebody holds it or a process is there. */
  get isUsed(): boolean {
    return this.leases.size > 0 || this.process.isInUse;
  }

  /** True once it has had a process: its requests may be asked for. */
  get hasRun(): boolean {
    return this.session.sessionId !== '';
  }

  /** A start failed shortly ago: what is known of it has to stay known. */
  get hasFailed(): boolean {
    return this.process.hasFailed;
  }

  /** Who holds the session, by the names that they gave. */
  get holders(): string[] {
    return [...this.leases].map((lease) => lease.holder);
  }

  /** Leases the session; the newest settings count from the next start on. */
  async lease(request: OpenRequest): Promise<SessionLease> {
    this.settings = request.settings;
    const lease = new SessionLease(this, request);
    this.leases.add(lease);
    try {
      if (lease.mayStart) await this.process.own(request.waitsForOwner ?? true);
      if (request.process === 'now') await this.prepare(lease);
      else if (lease.mayStart && this.session.attached)
        checkResume(lease.pendingStart, this.session, this.key);
      return maskErrors(lease, this.secrets);
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async release(lease: SessionLease): Promise<void> {
    this.leases.delete(lease);
    await this.process.released();
  }

  async prepare(lease: SessionLease): Promise<void> {
    const start = lease.consumeStart();
    try {
      const started = await this.process.ensure(start, lease.attended);
      if (!started && start.mode === 'new') await this.session.beginSession(() => this.process.hasMessages);
    } catch (error) {
      lease.pendingStart = start;
      throw error;
    }
  }

  async acknowledge(): Promise<AcknowledgeResult> {
    const result = await this.session.acknowledge();
    this.process.acknowledged();
    return result;
  }

  async restarted(): Promise<void> {
    await this.process.restarted();
  }

  async send(lease: SessionLease, request: SendRequest, control?: CallControl): Promise<CallResult> {
    const start = lease.consumeStart();
    const isFirst = start.mode === 'new';
    const progress = { written: false };
    const first: FirstMessage = {
      needsSession: () => this.process.hasMessages,
      written: () => {
        progress.written = true;
      },
    };
    try {
      await this.process.ensure(start, lease.attended);
      return await this.session.send(request, control, isFirst ? first : undefined);
    } catch (error) {
      // Once the message is written its session was begun, and the holder's next one goes there too.
      if (!isFirst || !progress.written) lease.pendingStart = start;
      throw error;
    }
  }

  async snapshot(request: StatusRequest): Promise<StatusDocument> {
    const status = await this.session.status(request);
    return {
      ...status,
      ...this.process.facts(status),
      diagnostics: request.diagnostics ? { ...status.diagnostics, ...this.diagnostics() } : null,
    };
  }

  /** Ends the process; refused while that would disturb somebody, unless forced. */
  async stop({ force, holder = '' }: StopOptions): Promise<void> {
    if (!force) await namingHolders(this, holder, () => this.process.refuseToStop('Chord was not stopped'));
    await this.process.end('stopped');
  }

  /** Ends everything for good, with n8n. Waiters get their error before their process ends. */
  async shutdown(): Promise<void> {
    this.session.interrupt('The wait ended because n8n is shutting down.');
    await this.process.shutdown();
  }

  /** The last moment of this operating-system process, when nothing asynchronous runs any more. */
  killNow(): void {
    this.process.killNow();
  }

  /** A decision without the credential's secrets: people's words, and ids stay as they are. */
  masked({ refused, reason, rule, arguments: args, ...facts }: DecisionAttempt): DecisionAttempt {
    return { ...facts, ...this.secrets.masked({ refused, reason, rule, arguments: args }) };
  }

  /** What may be shown of the credential. */
  private get secrets(): SecretMask {
    return SecretMask.of(this.settings);
  }

  /** Read at each use: the credential may be changed while the session lives. */
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
      ...this.process.diagnostics(),
      holders: this.holders,
      resume_problems: this.deps
        .waitsFor(this.key)
        .flatMap(({ execution_id, problem }) =>
          problem === null ? [] : [`Execution ${execution_id}: ${problem}`],
        ),
    };
  }
}
