import { setImmediate as nextRound } from 'node:timers/promises';
import type { Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { SecretMask, Transport } from '../../process';
import { disturbing, exitError, type SessionHost, type StatusDocument } from '../../session';
import type { KeyParts } from '../address/key';
import type { ConnectionSettings, StartOptions } from '../contract';
import type { LeasedSession } from '../lease/LeasedSession';
import { ownedTransport } from '../owners/ownedTransport';
import { OwnerLock } from '../owners/OwnerLock';
import type { Owners } from '../owners/Owners';
import { HandoffSessionLocator } from '../pin/HandoffSessionLocator';
import type { PinStore } from '../pin/PinStore';
import { SessionPin } from '../pin/SessionPin';
import { checkResume, continuePinned, wrongSession } from './checkResume';
import { IdleClock } from './IdleClock';
import { ProcessSlot } from './ProcessSlot';
import { Restarts } from './Restarts';
import { newSession, planStart, type StartPlan } from './startPlan';

/** What the process of a session needs from the registry. */
export interface SessionProcessDeps {
  readonly clock: Clock;
  readonly owners: Owners;
  readonly pins: PinStore;
  readonly key: string;
  readonly parts: KeyParts;
  makeTransport(settings: ConnectionSettings, parts: KeyParts, plan: StartPlan): Transport;
  /** The newest ones: they count from the next start on. */
  settings(): ConnectionSettings;
  secrets(): SecretMask;
  session(): LeasedSession;
  /** Somebody holds the session, whether or not they may start it. */
  isHeld(): boolean;
  /** Somebody holds the session who may start it. */
  isWanted(): boolean;
  /** Nothing is kept for the session any more but what its holders keep. */
  settled(): void;
}

/** What a session asks of its process. */
type ProcessHost = Omit<SessionHost, 'calls' | 'waits' | 'keepImage' | 'onDecisionAttempt'>;

/**
 * The one process of a session, over all restarts, with the session's pin and its owner lock: decides when it is started
 * and stopped, and in which Chord session.
 */
export class SessionProcess {
  private readonly slot: ProcessSlot;

  private readonly lock: OwnerLock;

  private readonly pin: SessionPin;

  private readonly handoffSession: HandoffSessionLocator;

  private readonly idle: IdleClock;

  private readonly restarts: Restarts;

  /** How the process was started that is in the slot. */
  private plan: StartPlan = newSession;

  /** Why there is no process, unless it crashed. */
  private stopped: 'never_started' | 'idle' | 'stopped' = 'never_started';

  constructor(private readonly deps: SessionProcessDeps) {
    const { clock, owners, pins, key, parts } = deps;
    this.slot = new ProcessSlot(key);
    this.lock = new OwnerLock(owners, key, (how) => void this.replaced(how));
    this.pin = new SessionPin(pins, key, parts.projectDirectory, clock);
    this.handoffSession = new HandoffSessionLocator(key, parts, this.pin, pins, () => deps.settings());
    this.idle = new IdleClock(clock, {
      timeoutMs: () => deps.settings().idleTimeoutMs,
      mayStop: () => !deps.isHeld() && this.session.isIdle,
      stop: () => void this.end('idle'),
    });
    this.restarts = new Restarts(clock, {
      key,
      session: () => this.session,
      isSwitchedOn: () => deps.settings().restartOnCrash,
      isWanted: () => deps.isWanted(),
      restart: () => void this.host.ensureProcess().catch(() => undefined),
    });
  }

  /** The session's part of what is asked here. */
  readonly host: ProcessHost = {
    ensureProcess: async () => {
      await this.ensure(continuePinned, '');
    },
    sessionChanged: (sessionId, content) => {
      if (!this.slot.isStarting) {
        this.pin.note(sessionId, content);
      } else if (!this.isAnother(sessionId)) {
        // One that opened a different session from the one requested is stopped, and must not move the pin.
        this.pin.note(sessionId, content === 'used' ? content : this.plan.content);
      }
    },
    sessionsBefore: () => this.handoffSession.before(),
    handedOff: (before, proved) => this.pin.noteHandoff(before, proved),
    sessionSince: () => this.handoffSession.found(),
    touched: () => this.idle.used(),
    exited: (report) => {
      if (this.slot.isFilling) {
        this.slot.lose(exitError(report));
        return;
      }
      this.slot.empty();
      this.idle.stop();
      if (!report.expected) this.restarts.crashed(report);
      void this.settle();
    },
  };

  /** A process runs, or one is being started or stopped. */
  get isInUse(): boolean {
    return this.slot.isInUse;
  }

  /** A start failed shortly ago: what is known of it has to stay known. */
  get hasFailed(): boolean {
    return this.restarts.document.failed > 0;
  }

  /** The session that Chord works in is not a new one any more. */
  get hasMessages(): boolean {
    return this.pin.current?.content !== 'empty';
  }

  /**
   * Makes the session this n8n's own.
   *
   * @throws ChordError `owned_elsewhere`
   */
  async own(waitsForOwner: boolean): Promise<void> {
    await this.lock.acquire(waitsForOwner);
  }

  /**
   * Returns when a process runs.
   *
   * @returns true when this very call has started it, as `start` says
   * @throws ChordError why it could not be started, or `wrong_session` where one runs in another session
   */
  async ensure(start: StartOptions, attended: string): Promise<boolean> {
    try {
      if (await this.slot.ensure(() => this.start(start, attended))) return true;
    } catch (error) {
      void this.settle();
      throw error;
    }
    checkResume(start, this.session, this.deps.key);
    return false;
  }

  /** Somebody gave a lease back: the idle time starts again. */
  async released(): Promise<void> {
    this.idle.used();
    await this.settle();
  }

  /** A person knows of what kept the process from being started automatically. */
  acknowledged(): void {
    this.restarts.acknowledged();
  }

  /** Resolves once a restart that is under way, or comes soon, has been tried. */
  async restarted(): Promise<void> {
    await this.restarts.soon();
    await this.slot.settled();
  }

  /** Its part of a status. */
  facts(status: StatusDocument): Pick<StatusDocument, 'start' | 'last_error' | 'stopped_because'> {
    const { state, document, lastError } = this.restarts;
    return {
      start: document,
      last_error: lastError ?? status.last_error,
      stopped_because: status.running ? null : state === 'none' ? this.stopped : state,
    };
  }

  /** Its part of a status with diagnostics. */
  diagnostics(): Record<string, unknown> {
    return {
      pid: this.slot.pid ?? null,
      pinned_session_id: this.pin.current?.session_id ?? null,
      pin_problem: this.pin.problem ?? null,
    };
  }

  /** @throws ChordError `session_busy` or `request_open` where ending it would disturb somebody */
  refuseToStop(what: string): void {
    const { key } = this.deps;
    if (this.slot.isStarting) throw disturbing(what, ['it is being started'], { sessionKey: key });
    if (this.session.attached) this.session.refuseToDisturb(what);
  }

  /** Ends the process, or the start that is under way. */
  async end(reason: 'idle' | 'stopped'): Promise<void> {
    this.restarts.forget();
    this.idle.stop();
    if (this.session.sessionId !== '') this.stopped = reason;
    await this.slot.stop();
    await this.settle();
  }

  /** Ends it for good, with n8n. */
  async shutdown(): Promise<void> {
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

  private get session(): LeasedSession {
    return this.deps.session();
  }

  private async start(start: StartOptions, attended: string): Promise<void> {
    const { deps } = this;
    this.restarts.starting({ settings: deps.settings(), start, attended });
    try {
      await this.lock.acquire(true);
      const pin = await this.pin.load().catch((error: unknown) => {
        // A damaged pin matters only to who wants to continue it.
        if (start.mode === 'continue') throw error;
        return undefined;
      });
      const followed = start.mode === 'continue' ? await this.handoffSession.follow(pin) : pin;
      await this.launch(planStart(start, followed));
    } catch (error) {
      throw this.restarts.startFailed(deps.secrets().maskError(error), start);
    }
  }

  private async launch(plan: StartPlan): Promise<void> {
    const { deps } = this;
    this.plan = plan;
    const process = deps.makeTransport(deps.settings(), deps.parts, plan);
    const transport = ownedTransport(process, this.lock, deps.key);
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
    const { session, plan } = this;
    await session.attach(transport);
    if (this.isAnother(session.sessionId)) throw wrongSession(plan.sessionId, session, this.deps.key);
    await this.handoffSession.locate();
    // The session reports only changes; the pin may still name another one.
    this.pin.note(session.sessionId, plan.content);
  }

  private isUp(): void {
    this.restarts.started();
    this.idle.start();
  }

  private isAnother(sessionId: string): boolean {
    return this.plan.kind === 'resume' && this.plan.sessionId !== sessionId;
  }

  /** Another n8n took the session over while this one did not run: its Chord must not work beside that one's. */
  private async replaced(how: string): Promise<void> {
    // Who was just about to write gets its own error: that nothing was written.
    await nextRound();
    if (!this.slot.isInUse) return;
    const facts = { exit_code: null, signal: null, stderr_tail: '', restart: 'replaced' };
    this.session.announce('process_exited', facts, `Chord was stopped: ${how}.`);
    this.session.interrupt(`The wait ended: ${how}.`);
    await this.end('stopped');
  }

  /** Gives back what nobody needs any more; resolves when it is given back. Never rejects. */
  private async settle(): Promise<void> {
    if (this.deps.isWanted() || this.slot.isInUse) return;
    this.restarts.cancelTimer();
    await this.lock.release();
    this.deps.settled();
  }
}
