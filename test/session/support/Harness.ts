import type { CallControl } from '../../../chord/session/core/CallControl';
import { ChordError } from '../../../chord/errors';
import type { ExitReport } from '../../../chord/process';
import { Session } from '../../../chord/session';
import type {
  CallResult,
  ChordEvent,
  ConfirmDecision,
  DecisionResult,
  EventFilter,
  HandoffDecision,
  ListenOptions,
  QuestionAnswer,
  ResultDocument,
  SendRequest,
  DecisionAttempt,
  WaitDocument,
} from '../../../chord/session/contract';
import type { CallKeeper, SessionHost, SessionIdentity } from '../../../chord/session/core/SessionHost';
import type { ProfileName } from '../../../simulator/wire/profile';
import { sendRequest } from '../../../chord/session/operations/send/sendRequest';
import { FakeClock } from '../../support/FakeClock';
import { FakeChord } from './FakeChord';
import { noCalls } from './noCalls';
import { settle } from './promises';

/** A filter that takes everything. */
export const everything: EventFilter = {
  events: 'all',
  mainAgentOnly: false,
  includeSuppressed: false,
  toolNames: [],
};

const waiting = {
  waitFor: 'turn',
  timeoutMs: 0,
  cancelOnTimeout: false,
  cancelOnStop: false,
  decisions: 'auto',
  callId: '',
} as const;

/** How a harness begins. */
export interface HarnessOptions extends Partial<SessionIdentity> {
  /** Keeps calls over the life of this process; by default nobody does. */
  calls?: CallKeeper;
  /** Nobody listens. */
  deaf?: boolean;
  /** No process yet. */
  cold?: boolean;
  /** Changes the Chord before it is attached. */
  prepare?: (chord: FakeChord) => void;
}

/** A session, a Chord that the test plays, a clock that stands still, and everything that was published. */
export class Harness implements SessionHost {
  readonly clock = new FakeClock();

  readonly session: Session;

  /** The Chord that is attached, or was last. */
  chord: FakeChord;

  /** Everything that a listener of all events was given. */
  readonly events: ChordEvent[] = [];

  readonly sessionChanges: [string, string][] = [];

  /** Ids of the project's sessions, as Chord keeps them. */
  readonly saved: string[] = [];

  /** Whether each handoff that opened a session untold was proved. */
  readonly proofs: boolean[] = [];

  /** What was there before each accepted handoff that opened a session untold. */
  readonly handoffs: (readonly string[] | null)[] = [];

  /** What the audit gets. */
  readonly tried: DecisionAttempt[] = [];

  readonly exits: ExitReport[] = [];

  /** Makes the next process; without it none can be started. */
  nextChord: (() => FakeChord) | undefined;

  starts = 0;

  private constructor(
    readonly profile: ProfileName,
    options: HarnessOptions,
  ) {
    const identity: SessionIdentity = {
      key: 'the-key',
      name: 'default',
      projectDirectory: '/p',
      allowLocalShell: true,
      sessionsDirectory: '',
      ...options,
    };
    this.calls = options.calls ?? noCalls;
    this.session = new Session(identity, this, this.clock);
    this.chord = new FakeChord(profile);
  }

  /** A session of this profile, its process attached and its first status taken in. */
  static async start(profile: ProfileName, options: HarnessOptions = {}): Promise<Harness> {
    const harness = new Harness(profile, options);
    options.prepare?.(harness.chord);
    if (!options.deaf) await harness.listen({ id: 'all' }, (event) => harness.events.push(event));
    if (!options.cold) await harness.attach(harness.chord);
    return harness;
  }

  /** Attaches a (new) Chord. */
  async attach(chord: FakeChord): Promise<void> {
    this.chord = chord;
    this.starts += 1;
    await this.session.attach(chord.transport);
    await settle();
  }

  // The host's part.

  calls: CallKeeper;

  waits(): WaitDocument[] {
    return [];
  }

  async ensureProcess(): Promise<void> {
    if (this.session.attached) return;
    if (!this.nextChord) throw new ChordError('start_failed', 'No process in this test.');
    const make = this.nextChord;
    this.nextChord = undefined;
    await this.attach(make());
  }

  sessionChanged(sessionId: string, content: 'empty' | 'used'): void {
    this.sessionChanges.push([sessionId, content]);
  }

  /** The bytes of images, by the path that was given for them. */
  readonly images = new Map<string, Buffer>();

  /** What keeping the next images fails with. */
  noRoom: Error | undefined;

  keepImage(bytes: Buffer): string {
    if (this.noRoom) throw this.noRoom;
    const path = `/images/${this.images.size + 1}`;
    this.images.set(path, bytes);
    return path;
  }

  sessionsBefore(): string[] {
    return [...this.saved];
  }

  handedOff(before: readonly string[] | null, proved: boolean): void {
    this.proofs.push(proved);
    this.handoffs.push(before);
  }

  sessionSince(): Promise<string | undefined> {
    const since = this.saved.filter((id) => !this.handoffs.at(-1)?.includes(id));
    return Promise.resolve(since.length === 1 ? since[0] : undefined);
  }

  touched(): void {
    // The registry's idle clock; nothing here.
  }

  onDecisionAttempt(decision: DecisionAttempt): void {
    this.tried.push(decision);
  }

  exited(report: ExitReport): void {
    this.exits.push(report);
  }

  // What tests do.

  listen(
    options: Partial<Omit<ListenOptions, 'filter'>> & { filter?: Partial<EventFilter> },
    listener: (event: ChordEvent) => void,
  ): Promise<() => Promise<void>> {
    return this.session.listen(
      {
        id: 'a listener',
        emitOpenRequests: true,
        production: false,
        ...options,
        filter: { ...everything, ...options.filter },
      },
      listener,
    );
  }

  /** Names of the events that were published, without the frequent ones. */
  published(...names: string[]): ChordEvent[] {
    return this.events.filter(({ event }) => names.includes(event));
  }

  send(message: string, more: Partial<SendRequest> = {}, control?: CallControl): Promise<CallResult> {
    return watched(this.session.send(sendRequest(message, { decisions: 'auto', ...more }), control));
  }

  confirm(
    requestId: string,
    more: Partial<ConfirmDecision> = {},
    control?: CallControl,
  ): Promise<DecisionResult> {
    return watched(
      this.session.confirm(
        {
          ...waiting,
          waitFor: 'nothing',
          requestId,
          fromItem: true,
          action: 'allow',
          denyReason: '',
          editedArguments: '',
          editSummary: '',
          rule: null,
          ...more,
        },
        control,
      ),
    );
  }

  answer(
    requestId: string,
    more: Partial<QuestionAnswer> = {},
    control?: CallControl,
  ): Promise<DecisionResult> {
    return watched(
      this.session.answer(
        {
          ...waiting,
          waitFor: 'nothing',
          requestId,
          fromItem: true,
          action: 'answer',
          answers: [],
          text: '',
          ...more,
        },
        control,
      ),
    );
  }

  handoff(
    requestId: string,
    more: Partial<HandoffDecision> = {},
    control?: CallControl,
  ): Promise<DecisionResult> {
    return watched(
      this.session.handoff(
        {
          ...waiting,
          waitFor: 'nothing',
          requestId,
          fromItem: true,
          action: 'approve',
          agent: '',
          pool: '',
          denyReason: '',
          ...more,
        },
        control,
      ),
    );
  }

  /** What the ledger says of one request. */
  async ledger(id: string): Promise<{ state: string; action: string | null } | undefined> {
    const [entry] = await this.session.requests({ ids: [id] });
    return entry && { state: entry.state, action: entry.action };
  }

  /** Ids of the open requests. */
  async open(): Promise<string[]> {
    return (await this.session.requests({})).map(({ request }) => request.id);
  }
}

/** A promise that a test looks at later must not count as unhandled meanwhile. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The result of a call that finished. */
export function finished(call: CallResult | null): ResultDocument {
  if (call?.kind !== 'finished') throw new Error(`Not finished, but: ${JSON.stringify(call)}`);
  return call.result;
}

/** Ids of the requests that a call handed out. */
export function handedOut(call: CallResult | null): string[] {
  if (call?.kind !== 'needs_decision') throw new Error(`No decision is needed: ${JSON.stringify(call)}`);
  return call.events.map(({ request }) => request!.id);
}
