import type { Clock } from '../../clock';
import type { Reading, Received } from '../../protocol/envelopes';
import type {
  ChordEvent,
  Deliver,
  FormOption,
  ListenOptions,
  ResultDocument,
  SessionDocument,
} from '../contract';
import type { LedgerEntry } from '../state/Ledger';
import type { Change } from '../state/SessionState';
import type { Turn } from '../turns/Turn';
import { EventBuilder } from './EventBuilder';
import { ImageAssembler, type Publishable } from './ImageAssembler';
import { Listeners } from './Listeners';
import { Prompts } from './Prompts';

/** What the publisher needs of the session around it. */
export interface EventPublisherDeps {
  clock: Clock;
  /** The session as it stands in events. */
  session(): SessionDocument;
  runningTurn(): Turn | undefined;
  /** Notes what the form of a request offers to a listener. */
  recordOffer(event: ChordEvent, options: readonly FormOption[]): ChordEvent;
  isOpen(requestId: string): boolean;
  /** Puts the bytes of an image into a file, and gives its path. */
  keepImage(bytes: Buffer): string;
}

/** The id of a pushed request: its opening was published; as an envelope it would come twice. */
function openedBy(reading: Reading | undefined, changes: readonly Change[]): string | undefined {
  switch (reading?.type) {
    case 'confirm_request':
    case 'question_request':
    case 'handoff_request':
      return reading.payload.request_id;
    case 'question_updated': {
      const { request_id: id } = reading.payload;
      return changes.some((change) => change.kind === 'opened' && change.entry.request.id === id)
        ? id
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Traits of an event that concerns the whole session. */
const ofSession = (event: string) => ({ event, isMain: true, suppressed: false });

/** The one way to the listeners: requests, Chord's envelopes with their images, turns, and events of our own. */
export class EventPublisher {
  private readonly events: EventBuilder;

  private readonly images: ImageAssembler;

  private readonly listeners: Listeners;

  private readonly prompts = new Prompts();

  constructor(private readonly deps: EventPublisherDeps) {
    this.events = new EventBuilder(deps);
    this.images = new ImageAssembler(deps);
    this.listeners = new Listeners(deps);
  }

  get listenerCount(): number {
    return this.listeners.count;
  }

  /** Calls of listeners that threw, for diagnostics. */
  get failedCalls(): number {
    return this.listeners.failures;
  }

  /**
   * Adds a listener, and gives it the requests that are open already.
   *
   * @returns takes it away, once
   */
  listen(options: ListenOptions, deliver: Deliver, open: readonly LedgerEntry[]): () => void {
    const stop = this.listeners.add(options, deliver);
    for (const entry of open) {
      this.listeners.publishTo(options, this.events.requestTraits(entry), () =>
        this.events.request(entry, null),
      );
    }
    return stop;
  }

  /** Whether an active trigger takes this request. */
  isTaken(entry: LedgerEntry): boolean {
    return this.listeners.isTaken(this.events.requestTraits(entry));
  }

  /** The event of an open request for a caller, with what its form offers to them. */
  requestFor(entry: LedgerEntry, options: readonly FormOption[]): ChordEvent {
    return this.deps.recordOffer(this.events.request(entry, null), options);
  }

  /** A request has opened. */
  opened(entry: LedgerEntry, seq: number | null): void {
    this.prompts.opened(entry);
    this.listeners.publish(this.events.requestTraits(entry), () => this.events.request(entry, seq));
  }

  /** A request has closed. */
  closed(entry: LedgerEntry): void {
    this.prompts.closed(entry.request.id);
    // Our own answer is no news to anybody.
    if (entry.closedBecause === null) return;
    const { tool } = this.events.requestTraits(entry);
    // No request id: it would count as the request itself, which was published before.
    this.listeners.publish({ ...ofSession('request_closed'), ...(tool !== undefined && { tool }) }, () =>
      this.events.closed(entry),
    );
  }

  /**
   * An envelope has come.
   *
   * @param changes what it changed
   */
  accept(received: Received, changes: readonly Change[]): void {
    const opened = openedBy(received.reading, changes);
    if (opened !== undefined) {
      this.prompts.expect(opened);
      return;
    }
    for (const publishable of this.images.accept(received)) this.envelope(publishable);
  }

  /** The agent rests, or the process is gone: what was held back for its images is published as it is. */
  releaseHeld(): void {
    for (const publishable of this.images.release()) this.envelope(publishable);
  }

  turnFinished(result: ResultDocument): void {
    this.listeners.publish(ofSession('turn_finished'), () => this.events.turnFinished(result));
  }

  /** Something of our own, e.g. about the process; `facts` is the event's payload. */
  announce(event: string, facts: Record<string, unknown>, summary: string): void {
    this.listeners.publish(ofSession(event), () => this.events.own(event, facts, summary));
  }

  private envelope({ received, images, problem }: Publishable): void {
    const turn = this.deps.runningTurn();
    for (const image of images ?? []) turn?.noteImage(image);
    if (problem !== undefined) turn?.noteWarning(problem);
    const promptFor = this.prompts.consume(received.reading);
    const traits = this.events.envelopeTraits(received, promptFor);
    this.listeners.publish(traits, () => this.events.envelope(received, images, problem));
  }
}
