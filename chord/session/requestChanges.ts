import type { ConfirmPayload, HandoffPayload, QuestionPayload } from '../protocol/requests';
import type { RequestDocument, RequestKind } from './contract';
import { confirmDocument, handoffDocument, questionDocument } from './documents';
import {
  answeredEntry,
  closedEntry,
  openEntries,
  withEntry,
  type ClosedReason,
  type LedgerEntry,
} from './Ledger';
import type { Change, ClosedBy, SessionState, Transition } from './SessionState';

/** A request as Chord told it, by push or by snapshot. */
export type Told =
  | { kind: 'confirm'; payload: ConfirmPayload }
  | { kind: 'question'; payload: QuestionPayload }
  | { kind: 'handoff'; payload: HandoffPayload };

const quiet = (state: SessionState): Transition => ({ state, changes: [] });

function document(told: Told, arrivedAt: number): RequestDocument {
  if (told.kind === 'confirm') return confirmDocument(told.payload, arrivedAt);
  if (told.kind === 'question') return questionDocument(told.payload, arrivedAt);
  return handoffDocument(told.payload);
}

/**
 * Takes in an open request. One that is open already is only brought up to date; one that ended here and is told as
 * open again (after a restart) opens again, unless it was answered.
 */
export function open(
  state: SessionState,
  told: Told,
  original: Record<string, unknown>,
  now: number,
): Transition {
  const id = told.payload.request_id;
  if (id === '') return quiet(state);
  const known = state.ledger.get(id);
  const revived = known?.state === 'lost' || known?.state === 'unknown';
  if (known && known.state !== 'open' && !revived) return quiet(state);
  const entry: LedgerEntry = {
    request: document(told, known?.openedAt ?? now),
    state: 'open',
    payload: original,
    agentId: told.kind === 'handoff' ? '' : told.payload.agent_id,
    taskId: told.kind === 'question' ? told.payload.task_id : '',
    openedAt: known?.openedAt ?? now,
    openedAtStep: known?.openedAtStep ?? state.step,
    closedAt: null,
    closedBecause: null,
    action: known?.action ?? null,
    protocol: told.kind === 'question' ? (state.capabilities.question_protocol ?? 'B') : null,
    version: told.kind === 'question' ? (told.payload.version ?? 0) : 0,
    bindingId: told.kind === 'question' ? (told.payload.binding_id ?? '') : '',
  };
  const next = { ...state, ledger: withEntry(state.ledger, entry) };
  return { state: next, changes: known ? [] : [{ kind: 'opened', entry }] };
}

/** Closes one request: by our answer where one is on its way, else for the reason. */
export function close(
  state: SessionState,
  entry: LedgerEntry,
  because: ClosedReason | 'answered',
  by: ClosedBy,
  now: number,
): Transition {
  if (entry.state !== 'open') return quiet(state);
  const answered = because === 'answered' || (entry.action !== null && because === 'ended');
  const closed = answered
    ? answeredEntry(entry, entry.action ?? 'answer', now)
    : closedEntry(entry, because, now);
  return {
    state: { ...state, ledger: withEntry(state.ledger, closed) },
    changes: [{ kind: 'closed', entry: closed, by }],
  };
}

/** Applies several steps one after the other and gathers their changes. */
export function chain(
  state: SessionState,
  steps: readonly ((state: SessionState) => Transition)[],
): Transition {
  return steps.reduce<Transition>(
    (done, step) => {
      const next = step(done.state);
      return { state: next.state, changes: [...done.changes, ...next.changes] };
    },
    { state, changes: [] },
  );
}

/** Closes every open request that the test takes. */
export function closeAll(
  state: SessionState,
  takes: (entry: LedgerEntry) => boolean,
  because: (entry: LedgerEntry) => ClosedReason,
  by: ClosedBy,
  now: number,
): Transition {
  const entries = openEntries(state.ledger).filter(takes);
  return chain(
    state,
    entries.map((entry) => (current) => close(current, entry, because(entry), by, now)),
  );
}

/** Question protocol C keeps its questions over an `idle`, a message and the end of the process. */
const isDurable = (entry: LedgerEntry): boolean => entry.protocol === 'C';

/** A global `idle` ends open confirms, and questions of protocols A and B; never a handoff. */
export const endedByIdle = (entry: LedgerEntry): boolean =>
  entry.request.kind === 'confirm' || (entry.request.kind === 'question' && !isDurable(entry));

/** A message denies an open confirm, closes a question of A and B, and cancels a handoff. */
export const endedBySend = (entry: LedgerEntry): boolean => !isDurable(entry);

/** What a message does to open requests, once it was written (with receipts: once it was admitted). */
export const supersede = (state: SessionState, now: number): Transition =>
  closeAll(state, endedBySend, () => 'superseded', 'send', now);

/** What the end of the process does to open requests: a durable question may live on, so nothing is said of it. */
export function loseAll(state: SessionState, now: number): Transition {
  const lost = closeAll(
    state,
    (entry) => !isDurable(entry),
    () => 'lost',
    'exit',
    now,
  );
  return chain(lost.state, [() => lost, (current) => suspendDurable(current, now)]);
}

/** Durable questions turn `unknown`; only a later status tells how they stand. */
export function suspendDurable(state: SessionState, now: number): Transition {
  const ledger = openEntries(state.ledger)
    .filter(isDurable)
    .reduce((done, entry) => withEntry(done, { ...entry, state: 'unknown', closedAt: now }), state.ledger);
  return quiet(ledger === state.ledger ? state : { ...state, ledger });
}

/** Marks a decision as on its way, or takes the mark back when it could not be written. */
export const withAction = (state: SessionState, id: string, action: LedgerEntry['action']): SessionState => {
  const entry = state.ledger.get(id);
  return entry ? { ...state, ledger: withEntry(state.ledger, { ...entry, action }) } : state;
};

/** Whether requests of this kind are closed in a list of ids that is complete. */
export const missing =
  (kind: RequestKind, ids: readonly string[], askedAtStep: number) =>
  (entry: LedgerEntry): boolean =>
    entry.request.kind === kind && entry.openedAtStep <= askedAtStep && !ids.includes(entry.request.id);

/** Nothing changes. */
export const unchanged = quiet;

/** Re-exported for the reducer's signatures. */
export type { Change };
