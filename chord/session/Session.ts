import type { CallControl, Controlled, Method } from './core/CallControl';
import type { Clock } from '../clock';
import type { Transport } from '../process';
import { confirmDecision, handoffDecision, questionAnswer } from './operations/decide/answers';
import type { ChordSession, Deliver, LedgerEntryDocument, ListenOptions } from './contract';
import type { CallNote } from './operations/call/CallNote';
import { cancel } from './operations/control/cancel';
import { localShell } from './operations/control/localShell';
import { localCommand } from './operations/control/localCommand';
import { models } from './operations/control/modelPools';
import { openWork, refuseToDisturb } from './operations/control/openWork';
import { roles } from './operations/control/roles';
import { status } from './operations/control/status';
import { beginSession, switchSession } from './operations/control/switchSession';
import { decide } from './operations/decide/decide';
import type { LedgerEntry } from './state/Ledger';
import { IdempotencyStore } from './operations/call/IdempotencyStore';
import { send } from './operations/send/send';
import type { FirstMessage } from './operations/send/Sending';
import { SessionCore } from './core/SessionCore';
import type { SessionHost, SessionIdentity } from './core/SessionHost';

/** What stands in the ledger, as plain data. */
const ledgerDocument = (entry: LedgerEntry): LedgerEntryDocument => ({
  request: structuredClone(entry.request),
  state: entry.closedBecause ?? entry.state,
  action: entry.action,
  opened_at: new Date(entry.openedAt).toISOString(),
  closed_at: entry.closedAt === null ? null : new Date(entry.closedAt).toISOString(),
});

/**
 * One Chord session, shared by all who name it. It lives on over restarts of its process, so that listeners, the
 * queue and the ledger of requests do. The registry holds it; nodes get it wrapped in a lease.
 */
export class Session implements Omit<ChordSession, 'release' | 'listen'> {
  private readonly core: SessionCore;

  private readonly notes: IdempotencyStore;

  constructor(identity: SessionIdentity, host: SessionHost, clock: Clock) {
    this.core = new SessionCore(identity, host, clock);
    this.notes = new IdempotencyStore({ calls: host.calls, kept: this.core.kept });
  }

  get key(): string {
    return this.core.identity.key;
  }

  /** A process is attached. */
  get attached(): boolean {
    return this.core.isRunning();
  }

  /** Chord's session id; empty before the first process. */
  get sessionId(): string {
    return this.core.state.sessionId;
  }

  /** Inputs and answers whose outcome is unknown since a process ended. */
  get unknownInputs(): number {
    return this.core.inputs.unknown;
  }

  /** Nothing is going on that stopping the process would disturb. */
  get isIdle(): boolean {
    return openWork(this.core).length === 0;
  }

  /**
   * @param what what is not done then, e.g. "Chord was not stopped"
   * @throws ChordError `request_open` or `session_busy`, which list what would be disturbed
   */
  refuseToDisturb(what: string): void {
    refuseToDisturb(this.core, what);
  }

  /**
   * Starts a process and takes it on.
   *
   * @throws ChordError why it could not be started; the session stays as it was
   */
  attach(transport: Transport): Promise<void> {
    return this.core.attach(transport);
  }

  /** Publishes something about the process; `facts` is the event's payload. */
  announce(
    event: 'process_exited' | 'process_restarted' | 'protocol_error',
    facts: Record<string, unknown>,
    summary: string,
  ): void {
    this.core.events.announce(event, facts, summary);
  }

  /** Nobody uses the session any more: what it keeps no longer counts. */
  forget(): void {
    this.core.kept.clear();
  }

  /** Ends every wait with `interrupted`: n8n shuts down. */
  interrupt(reason: string): void {
    this.core.interrupt(reason);
  }

  acknowledge: Method<'acknowledge'> = async () => this.core.acknowledge();

  describe: Method<'describe'> = async () => this.core.describe();

  /** @param first given where the message shall be the first one of a new session */
  send = (
    request: Parameters<Method<'send'>>[0],
    control: CallControl = {},
    first?: FirstMessage,
  ): ReturnType<Method<'send'>> =>
    this.notes.run(request.callId, (note) => send(this.core, request, control, note, first));

  confirm: Controlled<'confirm'> = (decision, control = {}) =>
    this.onceKnown(decision, (note) =>
      decide(this.core, decision, 'confirm', (entry) => confirmDecision(entry, decision), control, note),
    );

  answer: Controlled<'answer'> = (answer, control = {}) =>
    this.onceKnown(answer, (note) =>
      decide(this.core, answer, 'question', (entry) => questionAnswer(entry, answer), control, note),
    );

  handoff: Controlled<'handoff'> = (decision, control = {}) =>
    this.onceKnown(decision, (note) =>
      decide(this.core, decision, 'handoff', (entry) => handoffDecision(entry, decision), control, note),
    );

  status: Method<'status'> = (request) => status(this.core, request);

  models: Method<'models'> = (request) => models(this.core, request);

  role: Method<'role'> = (request) => roles(this.core, request);

  switchSession: Controlled<'switchSession'> = (request, control = {}) =>
    this.notes.run(request.callId, (note) => switchSession(this.core, request, control, note));

  command: Controlled<'command'> = (request, control = {}) =>
    this.notes.run(request.callId, (note) => localCommand(this.core, request, control, note));

  cancel: Method<'cancel'> = async () => ({ cancelled: await cancel(this.core) });

  shell: Method<'shell'> = (command, callId = '') =>
    this.notes.run(callId, (note) => localShell(this.core, command, note));

  requests: Method<'requests'> = async ({ ids, openOfKind }) => {
    if (!ids) await this.core.untilKnown;
    const { ledger } = this.core.state;
    const entries = ids
      ? ids.map((id) => ledger.get(id)).filter((entry) => entry !== undefined)
      : ledger.open(openOfKind);
    return entries.map(ledgerDocument);
  };

  /** Begins a new session in the running process, if that is due when its turn has come. */
  beginSession(isDue: () => boolean): Promise<void> {
    return beginSession(this.core, isDue);
  }

  /** Registers a listener; the returned function ends it. */
  listen(options: ListenOptions, deliver: Deliver): Promise<() => Promise<void>> {
    const { core } = this;
    const open = options.emitOpenRequests ? core.state.ledger.open() : [];
    const stop = core.events.listen(options, deliver, open);
    core.host.touched();
    return Promise.resolve(() => {
      stop();
      core.host.touched();
      return Promise.resolve();
    });
  }

  /** Gives an answer. After a restart only the first status says how its request stands; else it is given at once. */
  private async onceKnown<Result>(
    { callId }: { callId: string },
    answer: (note: CallNote) => Promise<Result>,
  ): Promise<Result> {
    const { untilKnown } = this.core;
    if (untilKnown) await untilKnown;
    return await this.notes.run(callId, answer);
  }
}
