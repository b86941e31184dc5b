import { noCapabilities, withEnvelope, type Capabilities } from '../../chord/protocol/capabilities';
import type { Envelope } from '../../chord/protocol/envelopes';

const after = (...envelopes: Envelope[]): Capabilities => envelopes.reduce(withEnvelope, noCapabilities);

test('nothing is known before anything came', () => {
  expect(new Set(Object.values(noCapabilities))).toEqual(new Set([null]));
});

test.each<[string, object, number | undefined, Partial<Capabilities>]>([
  [
    'd1',
    { session_id: 'S1', pending_question: null },
    undefined,
    {
      versioned_status: false,
      roles: false,
      running_jobs: false,
      workdir: false,
      question_protocol: null,
      handoff_holds_idle: null,
      session_switched: null,
    },
  ],
  ['d1-roles', { current_role: 'builder' }, undefined, { versioned_status: false, roles: true }],
  [
    'd2',
    { current_role: 'builder', running_jobs: 0, workdir: {} },
    1,
    {
      versioned_status: true,
      roles: true,
      running_jobs: true,
      workdir: true,
      handoff_holds_idle: true,
      session_switched: true,
      receipts: null,
      confirm_resolved: null,
    },
  ],
  [
    'd3',
    { pending_questions: [] },
    1,
    { question_protocol: 'C', confirm_resolved: null, receipts: null, images: null },
  ],
])('a status of %s', (_, payload, seq, expected) => {
  expect(after({ type: 'status_response', seq, payload: payload as Record<string, unknown> })).toMatchObject(
    expected,
  );
});

test.each<[string, object, 'A' | 'B' | 'C']>([
  ['timeout_ms', { timeout_ms: 0 }, 'A'],
  ['default_answer', { default_answer: '' }, 'A'],
  ['neither, with seq or not', {}, 'B'],
  ['deadline', { deadline: '2030-01-01T00:00:00Z' }, 'B'],
  ['version', { version: 1 }, 'C'],
  ['response_policy', { response_policy: 'optional' }, 'C'],
])('a question with %s', (_, fields, protocol) => {
  const payload = { request_id: 'q1', ...fields };
  expect(after({ type: 'question_request', seq: 3, payload }).question_protocol).toBe(protocol);
});

test.each<[string, keyof Capabilities]>([
  ['input_result', 'receipts'],
  ['session_switched', 'session_switched'],
  ['confirm_resolved', 'confirm_resolved'],
  ['image_result', 'images'],
  ['mcp_status_changed', 'mcp'],
  ['input_queue_changed', 'input_queue'],
  ['session_transfer_preparing', 'transfer'],
  ['role_change', 'roles'],
])('the first %s shows %s, and nothing else', (type, capability) => {
  expect(after({ type, payload: {} })).toEqual({ ...noCapabilities, [capability]: true });
});

test('nothing is concluded from one to another', () => {
  const known = after({ type: 'status_response', seq: 1, payload: { pending_question: null } });
  expect(known).toMatchObject({ question_protocol: null, receipts: null, running_jobs: false, roles: false });
});

test('the same object when nothing is new', () => {
  const known = after({ type: 'input_result', payload: {} });
  expect(withEnvelope(known, { type: 'input_result', payload: {} })).toBe(known);
  expect(withEnvelope(known, { type: 'from_the_future' })).toBe(known);
});
