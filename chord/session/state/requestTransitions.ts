import type { ConfirmPayload, HandoffPayload, QuestionPayload } from '../../protocol/requests';
import { nothingOffered, offeredTogether } from '../offers/approvalOffer';
import type { ApprovalOffer, Attribution, DecisionAction, RequestDocument, RequestKind } from '../contract';
import { confirmDocument, handoffDocument, questionDocument } from './requestDocuments';
import { answeredEntry, closedEntry, unattributed, type ClosedReason, type LedgerEntry } from './Ledger';
import type { ClosedBy, SessionState, Transition } from './SessionState';

/** A request as Chord shows it, by push or by snapshot. */
export type ShownRequest =
  | { kind: 'confirm'; payload: ConfirmPayload }
  | { kind: 'question'; payload: QuestionPayload }
  | { kind: 'handoff'; payload: HandoffPayload };

/** Nothing changes that anybody has to act on. */
export const noChange = (state: SessionState): Transition => ({ state, changes: [] });

function document(shown: ShownRequest, arrivedAt: number): RequestDocument {
  if (shown.kind === 'confirm') return confirmDocument(shown.payload, arrivedAt);
  if (shown.kind === 'question') return questionDocument(shown.payload, arrivedAt);
  return handoffDocument(shown.payload);
}

/**
 * Takes in an open request. One that is open already is only brought up to date; one that ended here and is shown as
 * open again (after a restart) opens again, unless it was answered.
 */
export function open(
  state: SessionState,
  shown: ShownRequest,
  original: Record<string, unknown>,
  now: number,
): Transition {
  const id = shown.payload.request_id;
  if (id === '') return noChange(state);
  const known = state.ledger.get(id);
  const revived = known?.state === 'lost' || known?.state === 'unknown';
  if (known && known.state !== 'open' && !revived) return noChange(state);
  const entry: LedgerEntry = {
    request: document(shown, known?.openedAt ?? now),
    state: 'open',
    payload: original,
    agentId: shown.kind === 'handoff' ? '' : shown.payload.agent_id,
    taskId: shown.kind === 'question' ? shown.payload.task_id : '',
    openedAt: known?.openedAt ?? now,
    openedAtStep: known?.openedAtStep ?? state.step,
    toldAtStep: state.step,
    closedAt: null,
    closedBecause: null,
    // An answer that was on its way when the process ended was not taken: the request is asked again.
    action: revived ? null : (known?.action ?? null),
    attribution: revived ? unattributed : (known?.attribution ?? unattributed),
    offered: known?.offered ?? nothingOffered,
    protocol: shown.kind === 'question' ? (state.capabilities.question_protocol ?? 'B') : null,
    version: shown.kind === 'question' ? (shown.payload.version ?? 0) : 0,
    bindingId: shown.kind === 'question' ? (shown.payload.binding_id ?? '') : '',
  };
  const next = { ...state, ledger: state.ledger.with(entry) };
  return { state: next, changes: known ? [] : [{ kind: 'opened', entry }] };
}

const actions: readonly string[] = ['allow', 'deny', 'answer', 'decline', 'approve', 'cancel'];

const isAction = (word: string): word is DecisionAction => actions.includes(word);

/** Closes one request: by our answer where one is on its way, else for the reason. */
export function close(
  state: SessionState,
  entry: LedgerEntry,
  because: ClosedReason | DecisionAction,
  by: ClosedBy,
  now: number,
): Transition {
  // A durable question may end while no process is there, which a later status shows.
  if (entry.state !== 'open' && entry.state !== 'unknown') return noChange(state);
  // An answer that was on its way is what ended it, as far as this Chord tells.
  const action = because === 'ended' ? entry.action : because;
  const closed =
    action !== null && isAction(action)
      ? answeredEntry(entry, action, now)
      : closedEntry(entry, because as ClosedReason, now);
  return {
    state: { ...state, ledger: state.ledger.with(closed) },
    changes: [{ kind: 'closed', entry: closed, by }],
  };
}

/** How Chord's closing words read in the ledger: a decision, whoever made it, or why it ended without one. */
const closingWords: Readonly<Record<string, ClosedReason | DecisionAction>> = {
  approved: 'allow',
  denied: 'deny',
  answered: 'answer',
  declined: 'decline',
  timeout: 'expired',
  no_response: 'expired',
  defaulted: 'defaulted',
  superseded: 'superseded',
  cancelled: 'cancelled',
  error: 'ended',
};

/** Closes the request of this id, by Chord's own word; one that we do not know of closes nothing. */
export function closeById(state: SessionState, id: string, word: string, now: number): Transition {
  const entry = state.ledger.get(id);
  return entry ? close(state, entry, closingWords[word] ?? 'ended', 'event', now) : noChange(state);
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

/** Closes every open request that the test matches. */
export function closeAll(
  state: SessionState,
  matches: (entry: LedgerEntry) => boolean,
  because: (entry: LedgerEntry) => ClosedReason,
  by: ClosedBy,
  now: number,
): Transition {
  const entries = state.ledger.open().filter(matches);
  return chain(
    state,
    entries.map((entry) => (current) => close(current, entry, because(entry), by, now)),
  );
}

/** Question protocol C keeps its questions over an `idle`, a message and the end of the process. */
const isDurable = (entry: LedgerEntry): boolean => entry.protocol === 'C';

/** How a request ends when its time is over. */
export const expiredAs = ({ request }: LedgerEntry): ClosedReason =>
  request.on_expiry === 'default' ? 'defaulted' : 'expired';

/** Why a request is gone that nobody answered: its time ran out, else the work ended. */
export const goneBecause =
  (now: number) =>
  (entry: LedgerEntry): ClosedReason => {
    const { expires_at: expiresAt } = entry.request;
    const isDue = expiresAt !== null && !isDurable(entry) && Date.parse(expiresAt) <= now;
    return entry.action === null && isDue ? expiredAs(entry) : 'ended';
  };

/** A global `idle` ends open confirms, and questions of protocols A and B; never a handoff. */
export const endedByIdle = (entry: LedgerEntry): boolean =>
  entry.request.kind === 'confirm' || (entry.request.kind === 'question' && !isDurable(entry));

/** A message denies an open confirm, closes a question of A and B, and cancels a handoff. */
export const endedBySend = (entry: LedgerEntry): boolean => !isDurable(entry);

/** Open requests whose answer is on its way: Chord reads it before whatever is written from now on. */
export const beingAnswered = (state: SessionState): ReadonlySet<string> =>
  new Set(
    state.ledger
      .open()
      .filter(({ action }) => action !== null)
      .map(({ request }) => request.id),
  );

/**
 * What a message does to open requests, once it was written (with receipts: once it was admitted).
 *
 * @param answered those whose answer was written before the message, so that the answer counts
 */
export const supersede = (state: SessionState, answered: ReadonlySet<string>, now: number): Transition =>
  closeAll(
    state,
    (entry) => endedBySend(entry) && !answered.has(entry.request.id),
    () => 'superseded',
    'send',
    now,
  );

/** Open requests that a `cancel` ends if it is written now: those of the turn that nobody has answered yet. */
export const endedByCancel = (state: SessionState): ReadonlySet<string> =>
  new Set(
    state.ledger
      .open()
      .filter((entry) => entry.action === null && endedByIdle(entry))
      .map(({ request }) => request.id),
  );

/** What a `cancel` that was written has done, also to an answer that was given after it. */
export const cancelAll = (state: SessionState, ids: ReadonlySet<string>, now: number): Transition =>
  closeAll(
    state,
    ({ request }) => ids.has(request.id),
    () => 'cancelled',
    'cancel',
    now,
  );

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

/** A durable question turns `unknown`; only a later status tells how it stands. */
export function markUnknown(state: SessionState, id: string, now: number): SessionState {
  const entry = state.ledger.get(id);
  if (entry?.state !== 'open') return state;
  return { ...state, ledger: state.ledger.with({ ...entry, state: 'unknown', closedAt: now }) };
}

/** All durable questions turn `unknown`. */
const suspendDurable = (state: SessionState, now: number): Transition =>
  noChange(
    state.ledger
      .open()
      .filter(isDurable)
      .reduce((done, entry) => markUnknown(done, entry.request.id, now), state),
  );

/** The session was switched in place: open requests belong to the former one, durable questions live on there. */
export function switchTo(state: SessionState, sessionId: string, now: number): Transition {
  if (sessionId === '' || sessionId === state.sessionId) return noChange(state);
  const ended = closeAll(
    {
      ...state,
      sessionId,
      parked: false,
      heldInputs: null,
      ...(state.runningJobs !== null && { runningJobs: 0 }),
    },
    (entry) => !isDurable(entry),
    () => 'ended',
    'switch',
    now,
  );
  const kept = suspendDurable(ended.state, now);
  return { state: kept.state, changes: [...ended.changes, { kind: 'session', sessionId }] };
}

/** Marks a decision as on its way, or takes the mark back when it could not be written. */
export const withAction = (
  state: SessionState,
  id: string,
  action: LedgerEntry['action'],
  attribution: Attribution = unattributed,
): SessionState => {
  const entry = state.ledger.get(id);
  return entry ? { ...state, ledger: state.ledger.with({ ...entry, action, attribution }) } : state;
};

/** Notes what a form of a request offers; what others of it offer stays. */
export const withOffer = (state: SessionState, id: string, offer: ApprovalOffer): SessionState => {
  const entry = state.ledger.get(id);
  if (!entry) return state;
  return {
    ...state,
    ledger: state.ledger.with({ ...entry, offered: offeredTogether(entry.offered, offer) }),
  };
};

/** Whether requests of this kind are closed in a list of ids that is complete. */
export const missing =
  (kind: RequestKind, ids: readonly string[], askedAtStep: number) =>
  (entry: LedgerEntry): boolean =>
    entry.request.kind === kind && entry.openedAtStep <= askedAtStep && !ids.includes(entry.request.id);
