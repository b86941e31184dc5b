import { systemClock, type Clock } from '../clock';
import { ChordError } from '../errors';
import { ChordProcess } from '../process/ChordProcess';
import { SecretMask } from '../process/SecretMask';
import type { Transport } from '../process/Transport';
import {
  Session,
  type AuditEntry,
  type CallKeeper,
  type ChordSession,
  type StatusDocument,
  type DecisionAttempt,
} from '../session';
import { AuditLog } from './audit/AuditLog';
import { Calls } from './calls/Calls';
import { outcomeOf } from './calls/outcome';
import { RunningCalls } from './calls/RunningCalls';
import type { ChordRegistry, ConnectionSettings, OpenRequest, SavedSession, StopOptions } from './contract';
import { defaultFolder } from './files/folders';
import { ImageFiles } from './files/ImageFiles';
import { formatKey, type KeyParts } from './address/key';
import type { SessionLease } from './lease/SessionLease';
import { ManagedSession, type SessionDeps } from './ManagedSession';
import { Owners } from './owners/Owners';
import { PinStore } from './pin/PinStore';
import { resolveSession } from './address/resolveSession';
import { savedSessions } from './pin/savedSessions';
import type { MakeSession } from './lease/LeasedSession';
import type { StartPlan } from './start/startPlan';
import { EmbeddedWaits } from './waits/EmbeddedWaits';
import type { N8nOfWaits } from './waits/n8nOfWaits';
import { SuspendedWaits } from './waits/SuspendedWaits';

/** What a registry is made of; tests put in their own. */
export interface RegistryOptions {
  clock?: Clock;
  /** The folder of all our files. */
  folder?: string;
  makeTransport?: SessionDeps['makeTransport'];
  makeSession?: MakeSession;
  /** Where it is said that a suspended execution does not go on. */
  warn?: (problem: string) => void;
  /** What suspended executions are resumed with. */
  n8n?: N8nOfWaits;
  /** So many sessions that nobody uses any more are remembered, for what became of their requests. */
  remember?: number;
}

/** The registry of one operating-system process: many sessions, one Chord process each. */
export class Registry implements ChordRegistry {
  private readonly sessions = new Map<string, ManagedSession>();

  private readonly deps: SessionDeps;

  readonly waits: EmbeddedWaits;

  private readonly suspended: SuspendedWaits;

  private readonly running = new RunningCalls();

  private readonly calls: Calls;

  private readonly audit: AuditLog;

  private readonly owners: Owners;

  private ending: Promise<void> | undefined;

  private readonly remember: number;

  constructor(options: RegistryOptions = {}) {
    const clock = options.clock ?? systemClock;
    const folder = options.folder ?? defaultFolder();
    this.remember = options.remember ?? 500;
    this.owners = new Owners(folder, clock);
    this.calls = new Calls(folder, clock);
    this.suspended = new SuspendedWaits(this.owners, clock, this.calls, options.n8n, options.warn);
    this.waits = new EmbeddedWaits({ waits: this.suspended, open: (request) => this.lease(request) });
    this.audit = new AuditLog(folder);
    const images = new ImageFiles(folder, clock);
    void images.clean();
    this.deps = {
      clock,
      keepImage: (bytes) => images.keep(bytes),
      owners: this.owners,
      pins: new PinStore(folder),
      makeSession: options.makeSession ?? ((...parts) => new Session(...parts)),
      makeTransport: options.makeTransport ?? startsChord(clock),
      onDecisionAttempt: (decision, withArguments) => void this.audit.write(decision, withArguments),
      running: this.running,
      callsOf: (key) => this.keeperOf(key),
      waitsFor: (key) => this.suspended.list(key),
      unused: (session) => this.unused(session),
    };
  }

  open(request: OpenRequest): Promise<ChordSession> {
    return this.lease(request);
  }

  /** Ends what a former n8n left waiting. */
  recover(): void {
    this.suspended.recover();
    void this.calls.forgetOld().catch(() => undefined);
  }

  private async lease(request: OpenRequest): Promise<SessionLease> {
    try {
      const parts = await resolveSession(request.settings, request.address);
      if (this.ending)
        throw new ChordError('interrupted', 'No more sessions can be opened: n8n is shutting down.');
      this.suspended.addressIs(formatKey(parts), request.settings.n8nAddress);
      return await this.managed(parts, request.settings).lease(request);
    } catch (error) {
      throw SecretMask.of(request.settings).maskError(error);
    }
  }

  async list(credentialId: string): Promise<StatusDocument[]> {
    const known = [...this.sessions.values()].filter(({ parts }) => parts.credentialId === credentialId);
    return Promise.all(
      known.map((session) => session.snapshot({ diagnostics: false, includeModels: false })),
    );
  }

  async savedSessions({
    settings,
    address,
  }: Pick<OpenRequest, 'settings' | 'address'>): Promise<SavedSession[]> {
    try {
      return await savedSessions(settings, await resolveSession(settings, address));
    } catch (error) {
      throw SecretMask.of(settings).maskError(error);
    }
  }

  async keyOf({ settings, address }: Pick<OpenRequest, 'settings' | 'address'>): Promise<string> {
    try {
      return formatKey(await resolveSession(settings, address));
    } catch (error) {
      throw SecretMask.of(settings).maskError(error);
    }
  }

  async cancelCall(callId: string): Promise<boolean> {
    return this.running.cancel(callId);
  }

  runEnded(run: string): Promise<void> {
    return this.calls.runEnded(run);
  }

  noteRefused(decision: DecisionAttempt): Promise<void> {
    const session = this.sessions.get(decision.session_key);
    return this.audit.write(session?.masked(decision) ?? decision, false);
  }

  async decisions(credentialId: string, limit: number): Promise<AuditEntry[]> {
    const entries = await this.audit.read(Number.MAX_SAFE_INTEGER);
    const prefix = `${encodeURIComponent(credentialId)}:`;
    const isOurs = ({ credential_id: id, session_key: key }: AuditEntry) =>
      id === undefined ? key.startsWith(prefix) : id === credentialId;
    return entries.filter(isOurs).slice(0, limit);
  }

  async stop(key: string, options: StopOptions): Promise<void> {
    await this.sessions.get(key)?.stop(options);
  }

  shutdown(): Promise<void> {
    // First, so that the next n8n reports what is interrupted now: this one is ending.
    this.suspended.shutdown();
    this.owners.leave();
    this.ending ??= Promise.all([...this.sessions.values()].map((session) => session.shutdown())).then(() =>
      this.left(),
    );
    return this.ending;
  }

  /** Kills every process and gives every lock back, synchronously: for the last moment of n8n's own process. */
  killNow(): void {
    for (const session of this.sessions.values()) session.killNow();
    this.left();
  }

  /** Nothing is owned any more but what waits for the next n8n. */
  private left(): void {
    this.owners.end(this.suspended.count > 0);
  }

  /** What a session's calls have written. Of a parked call the wait keeps the outcome, whatever it is. */
  private keeperOf(sessionKey: string): CallKeeper {
    const { calls, suspended: waits } = this;
    return {
      earlier: (callId) => calls.earlier(callId, sessionKey),
      stillWanted: (callId) => waits.stillWanted(callId),
      writing: (callId) => calls.writing(callId, sessionKey),
      withdrawn: (callId) => calls.withdrawn(callId, sessionKey, waits.isParked(callId)),
      ended: (callId, call) => {
        if (!waits.isParked(callId)) void outcomeOf(call).then((outcome) => calls.ended(callId, outcome));
      },
    };
  }

  private managed(parts: KeyParts, settings: ConnectionSettings): ManagedSession {
    const key = formatKey(parts);
    let session = this.sessions.get(key);
    if (!session) {
      session = new ManagedSession(parts, settings, this.deps);
      this.sessions.set(key, session);
    }
    return session;
  }

  /** A session that was never started is forgotten at once, the others when they become too many: oldest use first. */
  private unused(session: ManagedSession): void {
    if (this.sessions.get(session.key) !== session) return;
    this.sessions.delete(session.key);
    if (!session.hasRun && !session.hasFailed) return;
    this.sessions.set(session.key, session);
    const idle = [...this.sessions.values()].filter((other) => !other.isUsed);
    for (const old of idle.slice(0, Math.max(0, idle.length - this.remember))) {
      this.sessions.delete(old.key);
      old.session.forget();
    }
  }
}

/** Real processes. */
const startsChord =
  (clock: Clock) =>
  (settings: ConnectionSettings, parts: KeyParts, plan: StartPlan): Transport =>
    new ChordProcess({
      settings,
      directory: parts.projectDirectory,
      clock,
      args: {
        continue: plan.kind === 'latest',
        resume: plan.sessionId,
        worktree: parts.worktree,
      },
    });
