import type {
  ApprovalOffer,
  Attribution,
  DecisionAction,
  RequestDocument,
  RequestKind,
  RequestState,
} from '../contract';

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
  /** Set when what was asked is not kept any more, see {@link Ledger.withoutDetails}. */
  readonly detailsDropped?: true;
}

/** Closed requests of one generation: so many entries are copied when another one closes. */
export const closedKept = 300;

/** So many generations of closed requests are remembered. Their bytes are bounded elsewhere, see `KeptBytes`. */
const generationsKept = 16;

/** A decision of which nobody tells whose it is. */
export const unattributed: Attribution = { responder: null, responded_at: null };

type Entries = ReadonlyMap<string, LedgerEntry>;

const none: Entries = new Map();

/** Texts up to this length stay when the details of a request are dropped: its tool, its header. */
const shortText = 100;

/** What is left of a field: lists and objects keep their kind, so that the request stays what its type says. */
function remnant(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= shortText ? value : '';
  if (Array.isArray(value)) return [];
  return typeof value === 'object' ? null : value;
}

/** A closed request without what was asked. */
const withoutDetails = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  payload: {},
  request: Object.fromEntries(
    Object.entries(entry.request).map(([name, value]) => [name, name === 'id' ? value : remnant(value)]),
  ) as unknown as RequestDocument,
  detailsDropped: true,
});

/**
 * Every request that was seen: all open ones and the last closed ones. Never changed in place. Closed ones stand in
 * generations, the newest first, and the oldest one is forgotten as a whole: so a change copies few entries, not the
 * whole history.
 */
export class Ledger {
  private constructor(
    private readonly openOnes: Entries,
    private readonly closed: readonly Entries[],
    /** Some closed requests are not remembered any more. */
    readonly hasForgotten: boolean,
  ) {}

  static readonly empty = new Ledger(none, [none], false);

  get(id: string): LedgerEntry | undefined {
    return this.openOnes.get(id) ?? this.closed.find((entries) => entries.has(id))?.get(id);
  }

  /** The open requests in the order in which they came. */
  open(kind?: RequestKind): LedgerEntry[] {
    const entries = [...this.openOnes.values()];
    return kind === undefined ? entries : entries.filter(({ request }) => request.kind === kind);
  }

  /** Durable questions of which nothing is known since a process ended. */
  unknown(): LedgerEntry[] {
    return [...this.closed]
      .reverse()
      .flatMap((entries) => [...entries.values()])
      .filter((entry) => entry.state === 'unknown' && this.get(entry.request.id) === entry);
  }

  /** The ledger with an entry added or replaced. */
  with(entry: LedgerEntry): Ledger {
    const { id } = entry.request;
    const openOnes = new Map(this.openOnes);
    if (entry.state === 'open') {
      return new Ledger(openOnes.set(id, entry), this.closed, this.hasForgotten);
    }
    openOnes.delete(id);
    const [newest = none, ...older] = this.closed;
    if (newest.size < closedKept || newest.has(id)) {
      return new Ledger(openOnes, [new Map(newest).set(id, entry), ...older], this.hasForgotten);
    }
    const all = [new Map([[id, entry]]), ...this.closed];
    const forgets = all.length > generationsKept;
    return new Ledger(openOnes, all.slice(0, generationsKept), this.hasForgotten || forgets);
  }

  /** The ledger with no more of a closed request than that it was there, and what became of it. */
  withoutDetails(id: string): Ledger {
    if (this.openOnes.has(id)) return this;
    const closed = this.closed.map((entries) => {
      const entry = entries.get(id);
      return entry ? new Map(entries).set(id, withoutDetails(entry)) : entries;
    });
    return new Ledger(this.openOnes, closed, this.hasForgotten);
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
