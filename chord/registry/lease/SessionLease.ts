import { ChordError } from '../../errors';
import type {
  AcknowledgeResult,
  CallControl,
  CallResult,
  ChordEvent,
  ChordSession,
  ConfirmDecision,
  DecisionResult,
  HandoffDecision,
  LedgerEntryDocument,
  ListenOptions,
  LocalCommandRequest,
  LocalCommandResult,
  ModelPoolsDocument,
  ModelsRequest,
  QuestionAnswer,
  RequestKind,
  RoleRequest,
  RolesDocument,
  SendRequest,
  SessionDocument,
  StatusDocument,
  StatusRequest,
  SwitchRequest,
  SwitchResult,
} from '../../session/contract';
import type { OpenRequest, StartOptions } from '../contract';
import type { LeasedSession } from './LeasedSession';
import { continuePinned } from '../start/checkResume';
import { namingHolders } from './namingHolders';

/** What a lease needs of the session that it holds. */
export interface LeaseHolder {
  readonly key: string;
  readonly session: LeasedSession;
  /** A process runs when it returns, started as the lease wishes. */
  prepare(lease: SessionLease): Promise<void>;
  /** Resolves once a restart that is under way, or comes soon, has been tried; at once where there is none. */
  restarted(): Promise<void>;
  /**
   * Sends a message in a process that was started as the lease wishes. Where that is a new session and a process runs, the
   * session is begun in one with the message.
   */
  send(lease: SessionLease, request: SendRequest, control?: CallControl): Promise<CallResult>;
  /** Ends what a person knows of now, and lets the session be started again by itself where only that kept it from it. */
  acknowledge(): Promise<AcknowledgeResult>;
  /** Who holds the session, this lease among them. */
  readonly holders: string[];
  snapshot(request: StatusRequest): Promise<StatusDocument>;
  /** Resolves when nothing is held on its behalf any more. */
  release(lease: SessionLease): Promise<void>;
}

/** The session as one holder has it: what it asks is passed on, until it gives the lease back. */
export class SessionLease implements ChordSession {
  readonly key: string;

  readonly holder: string;

  /** What a person does with it; empty when nobody looks on. */
  readonly attended: string;

  /** False for a lease that must not bring a process into being. */
  readonly mayStart: boolean;

  /** How this holder wants Chord to be started. Fulfilled once; from then on the pin is followed. */
  pendingStart: StartOptions;

  private released = false;

  private readonly listening = new Set<() => Promise<void>>();

  constructor(
    private readonly held: LeaseHolder,
    request: OpenRequest,
  ) {
    this.key = held.key;
    this.holder = request.holder;
    this.attended = request.attended ?? '';
    this.mayStart = request.process !== 'never';
    this.pendingStart = request.start;
  }

  /** Takes the wish out, so that it is fulfilled once; put it back where that failed. */
  consumeStart(): StartOptions {
    const { pendingStart: wish } = this;
    this.pendingStart = continuePinned;
    return wish;
  }

  async describe(): Promise<SessionDocument> {
    return this.body().describe();
  }

  async send(request: SendRequest, control?: CallControl): Promise<CallResult> {
    this.body();
    if (this.mayStart) return await this.held.send(this, request, control);
    return await (await this.running()).send(request, control);
  }

  async confirm(decision: ConfirmDecision, control?: CallControl): Promise<DecisionResult> {
    return (await this.settled(control)).confirm(decision, control);
  }

  /** A process is started for a question that may live on in the session's file; never for one that is over. */
  async answer(answer: QuestionAnswer, control?: CallControl): Promise<DecisionResult> {
    const body = await this.settled(control);
    const [entry] = await body.requests({ ids: [answer.requestId] });
    const over = entry !== undefined && entry.state !== 'open' && entry.state !== 'unknown';
    return (over || !this.mayStart ? body : await this.running()).answer(answer, control);
  }

  async handoff(decision: HandoffDecision, control?: CallControl): Promise<DecisionResult> {
    return (await this.settled(control)).handoff(decision, control);
  }

  async status(request: StatusRequest): Promise<StatusDocument> {
    this.body();
    return this.held.snapshot(request);
  }

  async models(request: ModelsRequest): Promise<ModelPoolsDocument> {
    return (await this.running()).models(request);
  }

  async role(request: RoleRequest): Promise<RolesDocument> {
    const session = await this.running();
    return await this.namingOthers(() => session.role(request));
  }

  /** Where no process runs, one is started in the session that is wanted. */
  async switchSession(request: SwitchRequest, control?: CallControl): Promise<SwitchResult> {
    const body = this.body();
    if (body.attached || !this.mayStart) {
      const session = await this.running();
      return await this.namingOthers(() => session.switchSession(request, control));
    }
    if (!request.force) {
      await this.namingOthers(() => body.refuseToDisturb('The session was not changed'));
    }
    const previous = body.sessionId;
    this.pendingStart = request.sessionId
      ? { mode: 'resume', sessionId: request.sessionId }
      : { mode: 'new', sessionId: '' };
    await this.held.prepare(this);
    return { previous_session_id: previous, active_session_id: body.sessionId, text: '' };
  }

  async command(request: LocalCommandRequest, control?: CallControl): Promise<LocalCommandResult> {
    return (await this.running()).command(request, control);
  }

  async acknowledge(): Promise<AcknowledgeResult> {
    this.body();
    return await this.held.acknowledge();
  }

  async cancel(): Promise<{ cancelled: boolean }> {
    return this.body().cancel();
  }

  async shell(command: string, callId?: string): Promise<{ output: string; failed: boolean; error: string }> {
    return (await this.running()).shell(command, callId);
  }

  async requests(query: { ids?: string[]; openOfKind?: RequestKind }): Promise<LedgerEntryDocument[]> {
    // Which requests are open is known when a restart that goes on is over; of those that are named all is said at once.
    return (query.ids ? this.body() : await this.settled()).requests(query);
  }

  async listen(options: ListenOptions, listener: (event: ChordEvent) => void): Promise<() => Promise<void>> {
    const end = await this.body().listen(options, listener);
    const endOnce = async () => {
      if (this.listening.delete(endOnce)) await end();
    };
    this.listening.add(endOnce);
    if (this.released) await endOnce();
    return endOnce;
  }

  /** Ends this holder's listeners too: none may outlive its lease. */
  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    await Promise.all([this.held.release(this), ...[...this.listening].map((end) => end())]);
  }

  /** An error that refuses to disturb somebody also tells who else holds the session. */
  private namingOthers<Result>(call: () => Result | Promise<Result>): Promise<Result> {
    return namingHolders(this.held, this.holder, call);
  }

  /**
   * The session, once a restart that goes on has come to its end: before, nothing tells whether a request is still open.
   * Starts nothing.
   */
  private async settled({ signal }: CallControl = {}): Promise<LeasedSession> {
    this.body();
    await unlessStopped(this.held.restarted(), signal);
    return this.body();
  }

  /** The session, for calls that work without a process or find out by themselves that there is none. */
  private body(): LeasedSession {
    if (!this.released) return this.held.session;
    throw new ChordError('internal', `The lease of "${this.holder}" on session ${this.key} was given back.`, {
      sessionKey: this.key,
    });
  }

  /** The session with a process, for calls that need one. */
  private async running(): Promise<LeasedSession> {
    const body = this.body();
    if (this.mayStart) await this.held.prepare(this);
    else if (!body.attached) {
      throw new ChordError(
        'start_failed',
        `Chord does not run for session ${this.key}, and this call may not start it.`,
        {
          sessionKey: this.key,
        },
      );
    }
    return body;
  }
}

/** @throws ChordError `interrupted` when the execution is stopped before */
async function unlessStopped(waited: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) {
    await waited;
    return;
  }
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new ChordError('interrupted', 'The answer was not written: the execution was stopped.'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    await Promise.race([waited, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
