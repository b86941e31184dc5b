import type { Clock } from '../../clock';
import type { Received } from '../../protocol/envelopes';
import type { LedgerEntry } from '../state/Ledger';
import { reduce } from '../state/reduce';
import { initialState, type Change, type SessionState, type Transition } from '../state/SessionState';

/** What the store needs of the session around it: whoever acts on a change. */
export interface StateStoreDeps {
  clock: Clock;
  opened(entry: LedgerEntry, seq: number | null): void;
  closed(entry: LedgerEntry): void;
  switched(sessionId: string): void;
  /** An operation has put a state in: others may have waited for what changed. */
  settleDown(): void;
}

/** Holds what is known of the session, and has the changes of it acted on. */
export class StateStore {
  private current = initialState;

  constructor(private readonly deps: StateStoreDeps) {}

  get state(): SessionState {
    return this.current;
  }

  /** Puts in a state in which nothing changed that others wait for. */
  set(state: SessionState): void {
    this.current = state;
  }

  /** Puts in a state that an operation made, and acts on what changed. */
  apply({ state, changes }: Transition): void {
    this.current = state;
    this.act(changes, null);
    this.deps.settleDown();
  }

  /** Takes an envelope into the state, and acts on what changed. */
  accept(received: Received, askedAtStep: number): readonly Change[] {
    const { state, changes } = reduce(this.current, received, { now: this.deps.clock.now(), askedAtStep });
    this.current = state;
    this.act(changes, received.envelope.seq ?? null);
    return changes;
  }

  private act(changes: readonly Change[], seq: number | null): void {
    for (const change of changes) {
      if (change.kind === 'opened') this.deps.opened(change.entry, seq);
      else if (change.kind === 'closed') this.deps.closed(change.entry);
      else if (change.kind === 'session') this.deps.switched(change.sessionId);
    }
  }
}
