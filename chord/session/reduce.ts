import { withEnvelope, withFacts } from '../protocol/capabilities';
import { readEnvelope, type Envelope, type PayloadOf, type Reading } from '../protocol/envelopes';
import type { ClosedReason } from './Ledger';
import { openEntries } from './Ledger';
import {
  chain,
  close,
  closeAll,
  endedByIdle,
  missing,
  open,
  suspendDurable,
  unchanged,
  type Told,
} from './requestChanges';
import type { SessionState, Transition } from './SessionState';

/** What the reducer has to know beside the envelope. */
export interface Arrival {
  /** ms since 1970. */
  now: number;
  /** For a `status_response`: the session's step when it was asked for. */
  askedAtStep: number;
}

/** Coarse phases, as a person reads them; transport phases such as `connecting` say nothing and keep the former. */
const phases: Readonly<Record<string, string>> = {
  preparing: 'preparing',
  waiting_headers: 'receiving reply',
  waiting_token: 'receiving reply',
  streaming: 'receiving reply',
  executing: 'running tools',
  compacting: 'checkpointing context',
  retrying: 'retrying',
  retrying_key: 'retrying',
  cooling: 'cooling down',
  waiting_input: 'waiting for a decision',
};

/** How Chord's closing words read in the ledger; `answered` is an answer, whoever gave it. */
const closingWords: Readonly<Record<string, ClosedReason | 'answered'>> = {
  approved: 'answered',
  denied: 'answered',
  answered: 'answered',
  declined: 'answered',
  timeout: 'expired',
  no_response: 'expired',
  defaulted: 'defaulted',
  superseded: 'superseded',
  cancelled: 'cancelled',
  error: 'ended',
};

function closeById(state: SessionState, id: string, word: string, now: number): Transition {
  const entry = state.ledger.get(id);
  return entry ? close(state, entry, closingWords[word] ?? 'ended', 'event', now) : unchanged(state);
}

/** A question pushed or listed: open, or closed where it carries an outcome. */
function question(
  state: SessionState,
  payload: PayloadOf<'question_request'>,
  original: Record<string, unknown>,
  now: number,
): Transition {
  if (payload.reason !== undefined) return closeById(state, payload.request_id, payload.reason, now);
  return open(state, { kind: 'question', payload }, original, now);
}

function idle(state: SessionState, payload: PayloadOf<'idle'>, now: number): Transition {
  const handoffOpen = openEntries(state.ledger, 'handoff').length > 0;
  const next: SessionState = {
    ...state,
    busy: false,
    phase: null,
    runningJobs: payload.running_jobs ?? state.runningJobs,
    lastOutcome: payload.last_outcome,
    lastError: null,
    capabilities: withFacts(state.capabilities, handoffOpen ? { handoff_holds_idle: false } : {}),
  };
  return closeAll(next, endedByIdle, () => 'ended', 'idle', now);
}

const asRecord = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;

/**
 * A snapshot. It opens what was not known, and closes what was open before it was asked for and is not in it any
 * more; what opened later may only have been pushed while the snapshot was on its way.
 */
function snapshot(state: SessionState, envelope: Envelope, arrival: Arrival): Transition {
  const payload = (readEnvelope(envelope) as Extract<Reading, { type: 'status_response' }>).payload;
  const raw = asRecord(envelope.payload);
  const { now, askedAtStep } = arrival;
  const told: [Told, unknown][] = [];
  if (payload.pending_confirm)
    told.push([{ kind: 'confirm', payload: payload.pending_confirm }, raw.pending_confirm]);
  if (payload.pending_handoff)
    told.push([{ kind: 'handoff', payload: payload.pending_handoff }, raw.pending_handoff]);
  if (payload.pending_question) {
    told.push([{ kind: 'question', payload: payload.pending_question }, raw.pending_question]);
  }
  payload.pending_questions?.forEach((item, index) => {
    told.push([{ kind: 'question', payload: item }, (raw.pending_questions as unknown[])[index]]);
  });
  const idsOf = (kind: Told['kind']) =>
    told.filter(([item]) => item.kind === kind).map(([item]) => item.payload.request_id);
  // Under protocol C an absent id has not ended: only `questions` tells an end, by its outcome.
  const durable = payload.pending_questions !== undefined;
  const gone = (kind: Told['kind']) => (current: SessionState) =>
    closeAll(current, missing(kind, idsOf(kind), askedAtStep), () => 'ended', 'snapshot', now);
  return chain(
    {
      ...state,
      // Without `session_switched` a status keeps telling the first session of the process (measured).
      sessionId: (state.capabilities.session_switched && payload.session_id) || state.sessionId,
      role: payload.current_role ?? state.role,
      busy: payload.busy,
      runningJobs: payload.running_jobs ?? state.runningJobs,
      lastOutcome: payload.last_outcome,
      lastError: payload.last_error || null,
    },
    [
      ...(payload.questions ?? [])
        .filter((item) => item.reason !== undefined)
        .map(
          (item) => (current: SessionState) => closeById(current, item.request_id, item.reason ?? '', now),
        ),
      ...told.map(
        ([item, original]) =>
          (current: SessionState) =>
            open(current, item, asRecord(original), now),
      ),
      gone('confirm'),
      gone('handoff'),
      ...(durable ? [] : [gone('question')]),
    ],
  );
}

/** `/new` and `/resume` switch the session in place; on builds without `session_switched` only a toast holds the id. */
const switchToast = /^(?:Started new session|Resumed session from) (\S+?)(?::|$)/;

function switched(state: SessionState, sessionId: string, now: number): Transition {
  if (sessionId === '' || sessionId === state.sessionId) return unchanged(state);
  const ended = closeAll(
    { ...state, sessionId, ...(state.runningJobs !== null && { runningJobs: 0 }) },
    (entry) => entry.protocol !== 'C',
    () => 'ended',
    'switch',
    now,
  );
  const kept = suspendDurable(ended.state, now);
  return { state: kept.state, changes: [...ended.changes, { kind: 'session', sessionId }] };
}

function read(state: SessionState, reading: Reading, envelope: Envelope, arrival: Arrival): Transition {
  const { now } = arrival;
  const original = envelope.payload ?? {};
  switch (reading.type) {
    case 'ready': {
      const { session_id: sessionId } = reading.payload;
      return {
        state: { ...state, sessionId, highestSeq: 0, workdirGeneration: -1, busy: false, phase: null },
        changes: [{ kind: 'session', sessionId }],
      };
    }
    case 'status_response':
      return snapshot(state, envelope, arrival);
    case 'activity':
      return unchanged({ ...state, busy: true, phase: phases[reading.payload.type] ?? state.phase });
    case 'assistant_message':
    case 'agent_started':
      return unchanged({ ...state, busy: true });
    case 'idle':
      return idle(state, reading.payload, now);
    case 'error':
      return unchanged(
        reading.payload.agent_id === undefined ? state : { ...state, lastError: reading.payload.message },
      );
    case 'confirm_request':
      return open({ ...state, busy: true }, { kind: 'confirm', payload: reading.payload }, original, now);
    case 'question_request':
    case 'question_updated':
      return question(state, reading.payload, original, now);
    case 'handoff_request':
      return open(state, { kind: 'handoff', payload: reading.payload }, original, now);
    case 'confirm_resolved':
      return closeById(state, reading.payload.request_id, reading.payload.reason, now);
    case 'question_resolved':
      return closeById(state, reading.payload.request_id, reading.payload.reason ?? 'error', now);
    case 'handoff_cancelled': {
      const id = reading.payload.request_id || openEntries(state.ledger, 'handoff')[0]?.request.id;
      return id === undefined ? unchanged(state) : closeById(state, id, 'superseded', now);
    }
    case 'role_change':
      return unchanged({ ...state, role: reading.payload.role });
    case 'role_response':
      return unchanged({ ...state, role: reading.payload.role || state.role });
    case 'session_switched':
      return switched(state, reading.payload.session_id, now);
    case 'toast': {
      const id = state.capabilities.session_switched
        ? undefined
        : switchToast.exec(reading.payload.message)?.[1];
      return id === undefined ? unchanged(state) : switched(state, id, now);
    }
    case 'workdir_changed':
      return unchanged({
        ...state,
        workdirGeneration: Math.max(state.workdirGeneration, reading.payload.generation),
      });
    case 'input_result':
      return unchanged(reading.payload.status === 'started' ? { ...state, busy: true } : state);
    case 'session_transfer_preparing':
    case 'session_transfer_status':
    case 'session_transfer_saved':
    case 'session_transfer_released':
      return unchanged({ ...state, transferring: true });
    default:
      return unchanged(state);
  }
}

/**
 * The one place where envelopes become state. Pure. Only a snapshot may be dropped, when it is older than a push that
 * was seen (`seq`); a push never is, and an envelope that we do not know changes nothing but the count.
 */
export function reduce(state: SessionState, envelope: Envelope, arrival: Arrival): Transition {
  const seq = envelope.seq ?? 0;
  if (envelope.type === 'status_response' && seq > 0 && seq < state.highestSeq) {
    return { state: { ...state, step: state.step + 1 }, changes: [{ kind: 'stale' }] };
  }
  const counted: SessionState = {
    ...state,
    step: state.step + 1,
    highestSeq: Math.max(state.highestSeq, seq),
    capabilities: withEnvelope(state.capabilities, envelope),
  };
  const reading = readEnvelope(envelope);
  return reading ? read(counted, reading, envelope, arrival) : unchanged(counted);
}
