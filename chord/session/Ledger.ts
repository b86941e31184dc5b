import type {
  ApprovalOffer,
  Attribution,
  DecisionAction,
  RequestDocument,
  RequestKind,
  RequestState,
} from './contract';

/** Why a request ended without an answer from here. */
export type ClosedReason = 'expired' | 'cancelled' | 'superseded' | 'ended' | 'defaulted' | 'lost';

/** One request that was ever seen. */
export interface LedgerEntry {
  readonly request: RequestDocument;
  readonly state: RequestState;
  /** Chord's own payload, for the event. */
  readonly payload: Record<string, unknown>;
  /** The agent that asks; empty for the main agent, and where Chord does not tell. */
  readonly agentId: string;
  readonly taskId: string;
  readonly openedAt: number;
  /** Counts the envelopes of the session: a snapshot closes only what was open before it was asked for. */
  readonly openedAtStep: number;
  /** The step at which Chord last told of it as open. */
  readonly toldAtStep: number;
  readonly closedAt: number | null;
  readonly closedBecause: ClosedReason | null;
  /** The decision that is on its way or was taken. While it is set no second one is let through. */
  readonly action: DecisionAction | null;
  /** Whose decision `action` is. */
  readonly attribution: Attribution;
  /** What its forms offered so far beside the decision. */
  readonly offered: ApprovalOffer;
  /** Question protocol of this request; `null` for the other kinds. */
  readonly protocol: 'A' | 'B' | 'C' | null;
  /** C: the option that it is bound to. */
  readonly version: number;
  readonly bindingId: string;
}

/** At least so many closed requests are kept, so that a late answer can be told what became of it; at most twice. */
export const closedKept = 300;

/** A decision of which nobody tells whose it is. */
export const unattributed: Attribution = { responder: null, responded_at: null };

type Entries = ReadonlyMap<string, LedgerEntry>;

const none: Entries = new Map();

/**
 * Every request that was seen: all open ones and the last closed ones. Never changed in place. Closed ones stand in
 * two generations, and the older one is forgotten as a whole: so a change copies few entries, not the whole history.
 */
export class Ledger {
  private constructor(
    private readonly openOnes: Entries,
    private readonly closed: Entries,
    private readonly closedBefore: Entries,
  ) {}

  static readonly empty = new Ledger(none, none, none);

  get(id: string): LedgerEntry | undefined {
    return this.openOnes.get(id) ?? this.closed.get(id) ?? this.closedBefore.get(id);
  }

  /** The open requests in the order in which they came. */
  open(kind?: RequestKind): LedgerEntry[] {
    const entries = [...this.openOnes.values()];
    return kind === undefined ? entries : entries.filter(({ request }) => request.kind === kind);
  }

  /** Durable questions of which nothing is known since a process ended. */
  unknown(): LedgerEntry[] {
    return [...this.closedBefore.values(), ...this.closed.values()].filter(
      (entry) => entry.state === 'unknown' && this.get(entry.request.id) === entry,
    );
  }

  /** The ledger with an entry added or replaced. */
  with(entry: LedgerEntry): Ledger {
    const { id } = entry.request;
    const openOnes = new Map(this.openOnes);
    if (entry.state === 'open') return new Ledger(openOnes.set(id, entry), this.closed, this.closedBefore);
    openOnes.delete(id);
    const isFull = this.closed.size >= closedKept && !this.closed.has(id);
    return isFull
      ? new Ledger(openOnes, new Map([[id, entry]]), this.closed)
      : new Ledger(openOnes, new Map(this.closed).set(id, entry), this.closedBefore);
  }
}

/** An entry closed without an answer from here. */
export const closedEntry = (entry: LedgerEntry, because: ClosedReason, at: number): LedgerEntry => ({
  ...entry,
  state: because === 'defaulted' ? 'expired' : because,
  closedBecause: because,
  closedAt: at,
});

/**
 * An entry closed by an answer.
 *
 * @param action what Chord took; another one than ours is somebody else's
 */
export const answeredEntry = (entry: LedgerEntry, action: DecisionAction, at: number): LedgerEntry => ({
  ...entry,
  attribution: action === entry.action ? entry.attribution : unattributed,
  state:
    action === 'deny' || action === 'decline' ? 'denied' : action === 'cancel' ? 'cancelled' : 'answered',
  action,
  closedAt: at,
});
