import { ChordError } from '../../errors';
import type { CallControl, Controlled, Method } from '../../session';
import type { ChordSession } from '../../session/contract';
import type { RunningCalls } from '../calls/RunningCalls';
import type { OpenRequest, StartOptions } from '../contract';
import { continuePinned } from '../start/checkResume';
import type { LeasedSession } from './LeasedSession';
import { namingHolders } from './namingHolders';

/** What a lease needs of the session that it holds. */
export interface LeaseHolder {
  readonly key: string;
  readonly session: LeasedSession;
  /** The calls that are under way, to end each by its name. */
  readonly running: RunningCalls;
  /** A process runs when it returns, started as the lease asked. */
  prepare(lease: SessionLease): Promise<void>;
  /** Resolves once a restart that is under way, or comes soon, has been tried; at once where there is none. */
  restarted(): Promise<void>;
  /**
   * Sends a message in a process that was started as the lease asked. Where that is a new session and a process runs, the
   * session is begun in one with the message.
   */
  send(lease: SessionLease, ...call: Parameters<Controlled<'send'>>): ReturnType<Method<'send'>>;
  /** Ends what a person knows of now, and lets the session be started again by itself where only that kept it from it. */
  acknowledge: Method<'acknowledge'>;
  /** Who holds the session, this lease among them. */
  readonly holders: string[];
  snapshot: Method<'status'>;
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

  /** Returns how to start Chord, once: the next start follows the pin. The caller sets it again if the start failed. */
  consumeStart(): StartOptions {
    const { pendingStart } = this;
    this.pendingStart = continuePinned;
    return pendingStart;
  }

  describe: Method<'describe'> = async () => this.body().describe();

  send: Controlled<'send'> = (request, control) =>
    this.named(request, control, async (ends) => {
      this.body();
      if (this.mayStart) return await this.held.send(this, request, ends);
      return await (await this.withProcess()).send(request, ends);
    });

  confirm: Controlled<'confirm'> = (decision, control) =>
    this.named(decision, control, async (ends) => (await this.settled(ends)).confirm(decision, ends));

  /** A process is started for a question that may live on in the session's file; never for one that is over. */
  answer: Controlled<'answer'> = (answer, control) =>
    this.named(answer, control, async (ends) => {
      const body = await this.settled(ends);
      const [entry] = await body.requests({ ids: [answer.requestId] });
      const over = entry !== undefined && entry.state !== 'open' && entry.state !== 'unknown';
      return await (over || !this.mayStart ? body : await this.withProcess()).answer(answer, ends);
    });

  handoff: Controlled<'handoff'> = (decision, control) =>
    this.named(decision, control, async (ends) => (await this.settled(ends)).handoff(decision, ends));

  status: Method<'status'> = async (request) => {
    this.body();
    return this.held.snapshot(request);
  };

  models: Method<'models'> = async (request) => (await this.withProcess()).models(request);

  role: Method<'role'> = async (request) => {
    const session = await this.withProcess();
    return await this.namingOthers(() => session.role(request));
  };

  /** Where no process runs, one is started in the session that is wanted. */
  switchSession: Controlled<'switchSession'> = (request, control) =>
    this.named(request, control, async (ends) => {
      const body = this.body();
      if (body.attached || !this.mayStart) {
        const session = await this.withProcess();
        return await this.namingOthers(() => session.switchSession(request, ends));
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
    });

  command: Controlled<'command'> = (request, control) =>
    this.named(request, control, async (ends) => (await this.withProcess()).command(request, ends));

  acknowledge: Method<'acknowledge'> = async () => {
    this.body();
    return await this.held.acknowledge();
  };

  cancel: Method<'cancel'> = async () => this.body().cancel();

  shell: Method<'shell'> = async (command, callId) => (await this.withProcess()).shell(command, callId);

  /** Which requests are open is known when a restart that goes on is over; of those that are named all is said at once. */
  requests: Method<'requests'> = async (query) =>
    (query.ids ? this.body() : await this.settled()).requests(query);

  listen: Method<'listen'> = async (options, deliver) => {
    const end = await this.body().listen(options, deliver);
    if (this.released) await end();
    else this.listening.add(end);
  };

  /** Ends this holder's listeners too: none may outlive its lease. */
  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    await Promise.all([this.held.release(this), ...[...this.listening].map((end) => end())]);
  }

  /** Makes a call that can be ended by its name. */
  private named<Result>(
    { callId }: { callId: string },
    control: CallControl = {},
    call: (control: CallControl) => Promise<Result>,
  ): Promise<Result> {
    return this.held.running.run(callId, control, call);
  }

  /** An error that refuses to disturb somebody also says who else holds the session. */
  private namingOthers<Result>(call: () => Result | Promise<Result>): Promise<Result> {
    return namingHolders(this.held, this.holder, call);
  }

  /**
   * The session, once a restart in progress has ended: before that it is not known whether a request is still open.
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
    throw new ChordError('internal', `"${this.holder}" has already released session ${this.key}.`, {
      sessionKey: this.key,
    });
  }

  /** The session with a process, for calls that need one. */
  private async withProcess(): Promise<LeasedSession> {
    const body = this.body();
    if (this.mayStart) await this.held.prepare(this);
    else if (!body.attached) {
      throw new ChordError(
        'start_failed',
        `Chord is not running for session ${this.key}, and this call may not start it.`,
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
    stop = () => reject(new ChordError('interrupted', 'The answer was not sent: the execution was stopped.'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    await Promise.race([waited, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
