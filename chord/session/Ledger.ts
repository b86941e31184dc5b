import type { DecisionAction, RequestDocument, RequestKind, RequestState } from './contract';

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
  /** Question protocol of this request; `null` for the other kinds. */
  readonly protocol: 'A' | 'B' | 'C' | null;
  /** C: the option that it is bound to. */
  readonly version: number;
  readonly bindingId: string;
}

/** Closed requests that are kept, so that a late answer can be told what became of it. */
export const closedKept = 500;

/** Every request that was seen: all open ones, and the last {@link closedKept} closed ones. Never changed in place. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** An empty ledger. */
export const emptyLedger: Ledger = new Map();

const isOpen = (entry: LedgerEntry): boolean => entry.state === 'open';

/** The open requests, oldest first. */
export function openEntries(ledger: Ledger, kind?: RequestKind): LedgerEntry[] {
  const found: LedgerEntry[] = [];
  for (const entry of ledger.values()) {
    if (isOpen(entry) && (kind === undefined || entry.request.kind === kind)) found.push(entry);
  }
  return found;
}

/** The ledger with an entry added or replaced. */
export function withEntry(ledger: Ledger, entry: LedgerEntry): Ledger {
  const next = new Map(ledger);
  if (!isOpen(entry)) next.delete(entry.request.id);
  next.set(entry.request.id, entry);
  if (next.size > closedKept) forgetOldest(next);
  return next;
}

/** Takes out the oldest closed entries of those that are too many. */
function forgetOldest(ledger: Map<string, LedgerEntry>): void {
  let tooMany = ledger.size - closedKept;
  for (const entry of ledger.values()) if (isOpen(entry)) tooMany -= 1;
  for (const [id, entry] of ledger) {
    if (tooMany <= 0) return;
    if (isOpen(entry)) continue;
    ledger.delete(id);
    tooMany -= 1;
  }
}

/** An entry closed without an answer from here. */
export const closedEntry = (entry: LedgerEntry, because: ClosedReason, at: number): LedgerEntry => ({
  ...entry,
  state: because === 'defaulted' ? 'expired' : because,
  closedBecause: because,
  closedAt: at,
});

/** An entry closed by our own answer. */
export const answeredEntry = (entry: LedgerEntry, action: DecisionAction, at: number): LedgerEntry => ({
  ...entry,
  state:
    action === 'deny' || action === 'decline' ? 'denied' : action === 'cancel' ? 'cancelled' : 'answered',
  action,
  closedAt: at,
});
