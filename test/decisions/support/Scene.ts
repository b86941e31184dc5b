import { Registry } from '../../../chord/registry/Registry';
import type { AuditEntry, ChordSession, DecisionAction, RequestKind } from '../../../chord/session';
import type { ProfileName } from '../../../simulator/wire/profile';
import { PinStore } from '../../../chord/registry/pin/PinStore';
import { openRequest, settingsFor } from '../../registry/support/settings';
import { FakeClock } from '../../support/FakeClock';
import { SimulatedChord, type Ground } from '../../support/simulated/SimulatedChord';
import { asks, threeRequests } from '../../support/simulated/threeRequests';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { actionsOf, auditedOutcome, callSession, notWaiting, outcomeOf, type Outcome } from './answers';

/** Seconds that a confirmation or a question stays open. */
export const openSeconds = 30;

/** What one cell of the matrix came to. */
export interface Came {
  /** The answers that Chord read. */
  written: string[];
  /** What each answering call was told, in the order of the calls. */
  gives: string[];
  /** What the audit holds, oldest first. */
  audit: string[];
  /** How the request ended by Chord's own record, over all its processes. */
  ended: string[];
  /** Whether it can still be answered. */
  open: boolean;
  /** How often the tool ran that needs a confirmation. */
  ran: number;
}

/** An answering call. */
export interface Call {
  /** Which of the two actions of the kind. */
  grants?: boolean;
  id?: string;
  kind?: RequestKind;
  fromItem?: boolean;
  session?: ChordSession;
  /** Another action than the kind has. */
  action?: string;
}

const inWords = (action: string | null, outcome: Outcome): string =>
  'verified' in outcome
    ? `${action} ${outcome.verified}`
    : [outcome.refused, outcome.because].filter(Boolean).join(': ');

/** What a line that answers says, in the words of a decision. */
function actionOf(line: string): string[] {
  const { type, action, reason } = JSON.parse(line) as Record<string, string>;
  if (type === 'confirm') return [action!];
  if (type === 'handoff') return [action === 'accept' ? 'approve' : action!];
  if (type !== 'question') return [];
  return [action ?? (reason === 'declined' ? 'decline' : 'answer')];
}

/** A registry over played Chords, one request that is open, and the calls that answer it. */
export class Scene {
  readonly clock = new FakeClock();

  session!: ChordSession;

  /** The open request that it is about. */
  id = '';

  private registry: Registry;

  private readonly folder = temporaryFolder();

  private readonly chords = new Map<string, SimulatedChord>();

  private readonly gives: Promise<string>[] = [];

  constructor(
    readonly profile: ProfileName,
    readonly kind: RequestKind,
    private readonly ground: Ground,
  ) {
    this.registry = this.newRegistry();
  }

  get chord(): SimulatedChord {
    return this.chordOf('default');
  }

  /** Opens the session and has Chord ask. */
  async begin(): Promise<void> {
    this.session = await this.open('now');
    this.id = await this.ask(this.session);
  }

  /** Another lease of a session; started anew where it does not run. */
  async open(process: 'now' | 'on_demand' | 'never', sessionName = 'default'): Promise<ChordSession> {
    const settings = settingsFor(this.ground.project, { idleTimeoutMs: 0 });
    const address = { projectDirectory: '', sessionName, worktree: '' };
    const session = await this.registry.open(openRequest(settings, { address, process }));
    await this.rest();
    return session;
  }

  /** Has Chord ask in a session; gives the id of the request. */
  async ask(session: ChordSession): Promise<string> {
    await this.send(session, asks[this.kind]);
    const [entry] = await session.requests({ openOfKind: this.kind });
    if (!entry) throw new Error('Chord has not asked.');
    return entry.request.id;
  }

  async send(session: ChordSession, message: string): Promise<void> {
    await session.send({
      message,
      ...notWaiting,
      whenBusy: 'join',
      whenRequestOpen: 'dismiss',
      allowCommands: false,
      loop: false,
      heldRequests: [],
    });
    await this.rest();
  }

  /** Answers; does not wait for what comes of it. */
  answer(call: Call = {}): void {
    const { kind = this.kind, id = this.id, fromItem = true, session = this.session, grants = true } = call;
    const action = (call.action ?? actionsOf[kind][grants ? 0 : 1]) as DecisionAction;
    const asked = { tag: `call-${this.gives.length}`, requestId: id, kind, action };
    this.gives.push(
      outcomeOf(callSession(session, asked, fromItem)).then((outcome) => inWords(action, outcome)),
    );
  }

  /** Everything that takes no time happens, and the calls so far are over. */
  async rest(): Promise<void> {
    for (const chord of this.chords.values()) await chord.rest();
  }

  /** All calls so far have come to their end. */
  async answered(): Promise<void> {
    await Promise.all(this.gives);
    await this.rest();
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.advance(seconds * 1000);
    await this.rest();
  }

  /** n8n is killed and starts again: nothing of the session is in memory any more. */
  async restartN8n(): Promise<void> {
    // The pin is written beside the work; n8n is restarted after that.
    const pins = new PinStore(this.folder);
    await until(async () => (await pins.read(this.session.key))?.content === 'used', 'the session is pinned');
    this.registry.killNow();
    this.registry = this.newRegistry();
    // Only a question can live on, so only its node may start Chord.
    this.session = await this.open(this.kind === 'question' ? 'on_demand' : 'never');
  }

  async end(): Promise<Came> {
    const gives = await Promise.all(this.gives);
    await this.rest();
    const [entry] = await this.session.requests({ ids: [this.id] });
    const audit = await this.registry.decisions('c1', 100);
    await this.registry.shutdown();
    const records = [...this.chords.values()].flatMap(({ record }) => record);
    return {
      written: records.flatMap((it) => (it.kind === 'stdin' ? actionOf(it.line) : [])),
      gives,
      audit: audit.reverse().map((it: AuditEntry) => inWords(it.action, auditedOutcome(it))),
      ended: records.flatMap((it) => ('outcome' in it ? [it.outcome] : [])),
      open: entry?.state === 'open',
      ran: records.filter((it) => it.kind === 'tool' && it.name === 'write' && it.status === 'ran').length,
    };
  }

  private newRegistry(): Registry {
    return new Registry({
      clock: this.clock,
      folder: this.folder,
      makeTransport: (_settings, { name }, plan) => this.chordOf(name).newProcess(plan.sessionId),
    });
  }

  private chordOf(name: string): SimulatedChord {
    const known = this.chords.get(name);
    if (known) return known;
    const chord = new SimulatedChord(this.profile, this.clock, this.ground, {
      scenario: threeRequests,
      confirmTimeout: openSeconds,
      questionTimeout: openSeconds,
    });
    this.chords.set(name, chord);
    return chord;
  }
}
