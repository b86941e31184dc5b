import { readEnvelope, type Envelope } from '../../../../chord/protocol/envelopes';
import { reduce } from '../../../../chord/session/state/reduce';
import { initialState, type Change, type SessionState } from '../../../../chord/session/state/SessionState';

/** When envelopes arrive, in ms since 1970. */
export const now = Date.parse('2030-01-01T00:00:00Z');

/** Takes envelopes in, one after the other. `askedAtStep` of a status: as late as can be, unless said. */
export function take(
  state: SessionState,
  envelopes: (Envelope & { askedAtStep?: number })[],
): { state: SessionState; changes: Change[] } {
  const changes: Change[] = [];
  let current = state;
  for (const { askedAtStep, ...envelope } of envelopes) {
    const next = reduce(current, readEnvelope(envelope), { now, askedAtStep: askedAtStep ?? current.step });
    current = next.state;
    changes.push(...next.changes);
  }
  return { state: current, changes };
}

/** The first envelope of a process. */
export const ready = (session_id = 'S1'): Envelope => ({ type: 'ready', payload: { session_id } });

/** The agent rests. */
export const idle = (more = {}): Envelope => ({
  type: 'idle',
  payload: { last_outcome: 'completed', suppress_user_notification: false, ...more },
});

/** The agent works. */
export const activity = (type = 'streaming', agent_id = 'main'): Envelope => ({
  type: 'activity',
  payload: { agent_id, type, detail: '' },
});

/** A snapshot in which nothing is open. */
export const status = (more = {}): Envelope => ({
  type: 'status_response',
  payload: {
    session_id: 'S1',
    busy: false,
    pending_confirm: null,
    pending_question: null,
    pending_handoff: null,
    ...more,
  },
});

/** A request for approval. */
export const confirm = (request_id: string): Envelope => ({
  type: 'confirm_request',
  payload: { request_id, tool_name: 'shell', args_json: '{}' },
});

/** A question of protocol A. */
export const question = (request_id: string, more = {}): Envelope => ({
  type: 'question_request',
  payload: { request_id, question: 'Which?', options: ['A', 'B'], timeout_ms: 0, ...more },
});

/** What makes a question one of protocol C. */
export const durable = {
  version: 1,
  binding_id: 'b1',
  response_policy: 'user_required',
  timeout_ms: undefined,
};

/** A plan. */
export const handoff = (request_id: string): Envelope => ({
  type: 'handoff_request',
  payload: { request_id, plan_path: '/p.md', agents: [] },
});

/** The state right after a process has started. */
export const started = take(initialState, [ready()]).state;

/** Ids of what is open. */
export const openIds = (state: SessionState): string[] =>
  state.ledger.open().map(({ request }) => request.id);

/** Ids of what was opened. */
export const opened = (changes: Change[]): string[] =>
  changes.flatMap((change) => (change.kind === 'opened' ? [change.entry.request.id] : []));

/** What was closed, and why. */
export const closed = (changes: Change[]): [string, string][] =>
  changes.flatMap((change) =>
    change.kind === 'closed'
      ? [[change.entry.request.id, change.entry.closedBecause ?? change.entry.state] as [string, string]]
      : [],
  );
