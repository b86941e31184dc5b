import type { Envelope, PayloadOf } from '../../protocol/envelopes';
import { heldInputs } from './heldInputs';
import { phaseOf } from './phases';
import {
  chain,
  closeAll,
  closeById,
  goneBecause,
  missing,
  open,
  switchTo,
  noChange,
  type ShownRequest,
} from './requestTransitions';
import type { SessionState, Transition } from './SessionState';

/** What the reducer has to know beside the envelope. */
export interface Arrival {
  /** ms since 1970. */
  now: number;
  /** For a `status_response`: the session's step when it was asked for. */
  askedAtStep: number;
}

type Status = PayloadOf<'status_response'>;

const asRecord = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;

/** The requests that a snapshot shows as open, each with Chord's own words. */
function shownBy(payload: Status, raw: Record<string, unknown>): [ShownRequest, unknown][] {
  const shown: [ShownRequest, unknown][] = [];
  const { pending_confirm: confirm, pending_handoff: handoff, pending_question: question } = payload;
  if (confirm) shown.push([{ kind: 'confirm', payload: confirm }, raw.pending_confirm]);
  if (handoff) shown.push([{ kind: 'handoff', payload: handoff }, raw.pending_handoff]);
  if (question) shown.push([{ kind: 'question', payload: question }, raw.pending_question]);
  payload.pending_questions?.forEach((item, index) => {
    shown.push([{ kind: 'question', payload: item }, (raw.pending_questions as unknown[])[index]]);
  });
  return shown;
}

/**
 * Without `seq` a snapshot that was overtaken cannot be told from a good one: what was pushed since it was asked for
 * says better whether Chord works.
 */
function facts(state: SessionState, payload: Status, versioned: boolean, askedAtStep: number): SessionState {
  const overtaken = !versioned && state.activeStep > askedAtStep;
  const busy = overtaken ? state.busy : payload.busy;
  return {
    ...state,
    role: payload.current_role ?? state.role,
    busy,
    phase: busy ? phaseOf(payload.phase, state.phase) : null,
    runningJobs: payload.running_jobs ?? state.runningJobs,
    lastOutcome: payload.last_outcome,
    lastError: payload.last_error || null,
  };
}

/**
 * A snapshot. It opens what was not known, and closes what was open before it was asked for and is not in it any
 * more; what opened later may only have been pushed while the snapshot was on its way.
 */
export function snapshot(
  state: SessionState,
  envelope: Envelope,
  payload: Status,
  arrival: Arrival,
): Transition {
  const { now, askedAtStep } = arrival;
  const raw = asRecord(envelope.payload);
  const shown = shownBy(payload, raw);
  const idsOf = (kind: ShownRequest['kind']) =>
    shown.filter(([item]) => item.kind === kind).map(([item]) => item.payload.request_id);
  // A key that is not there says nothing. Under protocol C an absent id has not ended either: only `questions` tells
  // an end, by its outcome.
  const gone = (kind: ShownRequest['kind']) => (current: SessionState) =>
    raw[`pending_${kind}`] !== undefined
      ? closeAll(current, missing(kind, idsOf(kind), askedAtStep), goneBecause(now), 'snapshot', now)
      : noChange(current);
  return chain(facts(state, payload, envelope.seq !== undefined, askedAtStep), [
    // Without `session_switched` a status keeps telling the first session of the process (measured).
    (current) =>
      current.capabilities.session_switched === true
        ? switchTo(current, payload.session_id, now)
        : noChange(current),
    (current) => noChange({ ...current, heldInputs: heldInputs(raw.input_queue) ?? current.heldInputs }),
    ...(payload.questions ?? []).map(
      (item) => (current: SessionState) =>
        item.reason === undefined ? noChange(current) : closeById(current, item.request_id, item.reason, now),
    ),
    ...shown.map(
      ([item, original]) =>
        (current: SessionState) =>
          open(current, item, asRecord(original), now),
    ),
    gone('confirm'),
    gone('handoff'),
    gone('question'),
  ]);
}
