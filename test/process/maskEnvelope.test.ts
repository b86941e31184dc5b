import { SecretMask } from '../../chord/process';
import { maskEnvelope } from '../../chord/process/maskEnvelope';

const secrets = new SecretMask(['sesame']);

const masked = (type: string, payload: Record<string, unknown>) => {
  const envelope = { type, payload };
  maskEnvelope(secrets, envelope);
  return envelope.payload;
};

test('no text of an envelope holds a secret, known or not', () => {
  expect(masked('assistant_message', { text: 'It is sesame.', agent_id: '' })).toEqual({
    text: 'It is ***.',
    agent_id: '',
  });
  expect(masked('from_the_future', { some: { where: [{ deep: 'sesame' }] }, count: 1 })).toEqual({
    some: { where: [{ deep: '***' }] },
    count: 1,
  });
});

test('arguments stay JSON, in a push and in a status', () => {
  const args_json = '{"big":12345678901234567890,"command":"echo s\\u0065same"}';
  const out = '{"big":12345678901234567890,"command":"echo ***"}';
  expect(masked('confirm_request', { args_json })).toEqual({ args_json: out });
  expect(masked('status_response', { pending_confirm: { args_json }, pending_question: null })).toEqual({
    pending_confirm: { args_json: out },
    pending_question: null,
  });
});

test('ids and names by which an answer finds its way stay as they are', () => {
  const question = { request_id: 'q-sesame', option_ids: ['sesame'], options: ['sesame'] };
  const handoff = {
    request_id: 'h',
    plan_text: 'sesame',
    agents: [{ name: 'sesame', model_pools: ['sesame'] }],
  };
  expect(
    masked('status_response', {
      session_id: 'S-sesame',
      pending_questions: [question],
      pending_handoff: handoff,
    }),
  ).toEqual({
    session_id: 'S-sesame',
    pending_questions: [{ ...question, options: ['***'] }],
    pending_handoff: { ...handoff, plan_text: '***' },
  });
  expect(masked('role_response', { role: 'sesame', roles: [{ name: 'sesame', current: true }] })).toEqual({
    role: 'sesame',
    roles: [{ name: 'sesame', current: true }],
  });
});

test('something else under the name of an id is masked all the same', () => {
  expect(masked('confirm_request', { request_id: { hidden: 'sesame' } })).toEqual({
    request_id: { hidden: '***' },
  });
});

test('the bytes of an image stay as they are', () => {
  expect(masked('image_artifact', { data: 'sesame', reference: 'x' })).toEqual({
    data: 'sesame',
    reference: 'x',
  });
  expect(masked('image_result', { data: 'sesame' })).toEqual({ data: '***' });
});
