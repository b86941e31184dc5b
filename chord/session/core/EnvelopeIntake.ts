import { namesOf, readEnvelope, type Envelope, type Reading } from '../../protocol/envelopes';
import type { EventPublisher } from '../events/EventPublisher';
import type { ProtocolProblems } from '../events/ProtocolProblems';
import type { UnconfirmedInputs } from '../input/UnconfirmedInputs';
import type { TurnTracker } from '../turns/TurnTracker';
import type { ActiveSession } from './ActiveSession';
import type { StateStore } from './StateStore';

/** Looks at every envelope whose payload we read, after the state took it in. */
export type Watcher = (reading: Reading) => void;

/** Who gets an envelope, and what follows from it. */
export interface EnvelopeIntakeDeps {
  store: StateStore;
  active: ActiveSession;
  inputs: UnconfirmedInputs;
  turns: TurnTracker;
  events: EventPublisher;
  problems: ProtocolProblems;
  /** Something changed from which others may have waited. */
  settleDown(): void;
  touched(): void;
}

/** The one path that every envelope takes: read once, into the state first, to the listeners last. */
export class EnvelopeIntake {
  private readonly watchers = new Set<Watcher>();

  constructor(private readonly deps: EnvelopeIntakeDeps) {}

  /** Has every envelope from now on looked at; the returned function ends that. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  /**
   * Takes an envelope in. A fault of ours must neither end the reading of stdout nor stay unseen.
   *
   * @returns false for a snapshot that came too late to tell anything
   */
  accept(envelope: Envelope, askedAtStep: number): boolean {
    try {
      return this.handle(envelope, askedAtStep);
    } catch (error) {
      const sample = String(error).slice(0, 200);
      this.deps.problems.note({ reason: 'not_handled', ...namesOf(envelope), sample, bytes: 0 });
      return true;
    }
  }

  private handle(envelope: Envelope, askedAtStep: number): boolean {
    const received = readEnvelope(envelope);
    const { reading } = received;
    const before = this.deps.store.state;
    const changes = this.deps.store.accept(received, askedAtStep);
    if (reading) {
      this.deps.active.accept(reading);
      this.deps.inputs.accept(reading, this.deps.store.state.capabilities.receipts);
      // Images that have not come by now do not come; the turn that ends must know.
      if (reading.type === 'idle') this.deps.events.releaseHeld();
      this.deps.turns.accept(reading, changes);
      if (this.watchers.size > 0) for (const watcher of [...this.watchers]) watcher(reading);
    }
    this.deps.events.accept(received, changes);
    const rests = before.busy && !this.deps.store.state.busy;
    if (rests || reading?.type === 'idle' || changes.length > 0) this.deps.settleDown();
    else this.deps.touched();
    return !changes.some(({ kind }) => kind === 'stale');
  }
}
