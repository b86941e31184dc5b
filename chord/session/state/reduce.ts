import { noCapabilities, withEnvelope, withFacts } from '../../protocol/capabilities';
import { isMainAgent } from '../../protocol/agents';
import type { Envelope, PayloadOf, Reading, Received } from '../../protocol/envelopes';
import { heldInputs } from './heldInputs';
import { phaseOf } from './phases';
import {
  closeAll,
  closeById,
  endedByIdle,
  goneBecause,
  open,
  switchTo,
  noChange,
} from './requestTransitions';
import type { SessionState, Transition } from './SessionState';
import { snapshot, type Arrival } from './snapshot';

export type { Arrival } from './snapshot';

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
  const handoffOpen = state.ledger.open('handoff').length > 0;
  const next: SessionState = {
    ...state,
    busy: false,
    phase: null,
    activeStep: state.step,
    runningJobs: payload.running_jobs ?? state.runningJobs,
    lastOutcome: payload.last_outcome,
    lastError: null,
    capabilities: withFacts(state.capabilities, handoffOpen ? { handoff_holds_idle: false } : {}),
  };
  return closeAll(next, endedByIdle, goneBecause(now), 'idle', now);
}

/** The next state while one envelope is read: nobody else has it yet, so that the most common ones need no copy. */
type Draft = { -readonly [Field in keyof SessionState]: SessionState[Field] };

/** Chord works. */
function active(draft: Draft): Draft {
  draft.busy = true;
  draft.activeStep = draft.step;
  return draft;
}

/** Under question protocol C the agent rests while a question is open that it needs, and says so. */
function activity(draft: Draft, { agent_id, type }: PayloadOf<'activity'>): Draft {
  if (isMainAgent(agent_id)) draft.parked = type === 'waiting_input';
  draft.phase = phaseOf(type, draft.phase);
  return active(draft);
}

/** `/new` and `/resume` switch the session in place; on builds without `session_switched` only a toast holds the id. */
const switchToast = /^(?:Started new session|Resumed session from) (\S+?)(?::|$)/;

function toast(state: SessionState, message: string, now: number): Transition {
  const id = state.capabilities.session_switched === true ? undefined : switchToast.exec(message)?.[1];
  return id === undefined ? noChange(state) : switchTo(state, id, now);
}

/** A new process: nothing of the former one runs any more. */
function ready(state: SessionState, sessionId: string): Transition {
  return {
    state: {
      ...state,
      sessionId,
      highestSeq: 0,
      workdirGeneration: -1,
      busy: false,
      parked: false,
      phase: null,
      runningJobs: null,
      // It has opened its session, which Chord lets nobody do while another client has it.
      transferring: false,
      heldInputs: null,
    },
    changes: [{ kind: 'session', sessionId }],
  };
}

function read(state: Draft, reading: Reading, envelope: Envelope, arrival: Arrival): Transition {
  const { now } = arrival;
  const original = envelope.payload ?? {};
  switch (reading.type) {
    case 'ready':
      return ready(state, reading.payload.session_id);
    case 'status_response':
      return snapshot(state, envelope, reading.payload, arrival);
    case 'activity':
      return noChange(activity(state, reading.payload));
    case 'assistant_message':
    case 'agent_started':
      return noChange(active(state));
    case 'idle':
      return idle(state, reading.payload, now);
    case 'error':
      return noChange(
        reading.payload.agent_id === undefined ? state : { ...state, lastError: reading.payload.message },
      );
    case 'confirm_request':
      return open(active(state), { kind: 'confirm', payload: reading.payload }, original, now);
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
      const id = reading.payload.request_id || state.ledger.open('handoff')[0]?.request.id;
      return id === undefined ? noChange(state) : closeById(state, id, 'superseded', now);
    }
    case 'role_change':
      return noChange({ ...state, role: reading.payload.role });
    case 'role_response':
      // A refusal may name the role that was asked for.
      return noChange(reading.payload.ok ? { ...state, role: reading.payload.role || state.role } : state);
    case 'session_switched':
      return switchTo(state, reading.payload.session_id, now);
    case 'toast':
      return toast(state, reading.payload.message, now);
    case 'workdir_changed':
      return noChange({
        ...state,
        workdirGeneration: Math.max(state.workdirGeneration, reading.payload.generation),
      });
    case 'input_result':
      return noChange(reading.payload.status === 'started' ? active(state) : state);
    case 'input_queue_changed':
      return noChange({ ...state, heldInputs: heldInputs(original) });
    case 'session_transfer_preparing':
    case 'session_transfer_status':
    case 'session_transfer_saved':
      return noChange({ ...state, transferring: true });
    case 'session_transfer_released':
      return noChange({ ...state, transferring: false });
    default:
      return noChange(state);
  }
}

/**
 * The one place where envelopes become state. Pure. Only a snapshot may be dropped, when it is older than a push that
 * was seen (`seq`); a push never is, and an envelope that we do not know changes nothing but the count.
 */
export function reduce(state: SessionState, { envelope, reading }: Received, arrival: Arrival): Transition {
  const seq = envelope.seq ?? 0;
  if (envelope.type === 'status_response' && seq > 0 && seq < state.highestSeq) {
    // What this Chord can do stands in an old snapshot as well.
    const capabilities = withEnvelope(state.capabilities, envelope);
    return { state: { ...state, step: state.step + 1, capabilities }, changes: [{ kind: 'stale' }] };
  }
  // What the former process could do is no fact about this one: Chord may have been replaced meanwhile.
  const capabilities = envelope.type === 'ready' ? noCapabilities : state.capabilities;
  // Fields named in the literal would make the copy three times as slow (measured).
  const counted: Draft = { ...state };
  counted.step += 1;
  counted.highestSeq = Math.max(state.highestSeq, seq);
  counted.capabilities = withEnvelope(capabilities, envelope);
  return reading ? read(counted, reading, envelope, arrival) : noChange(counted);
}
