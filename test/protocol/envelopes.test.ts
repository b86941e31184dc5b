import fc from 'fast-check';
import {
  envelopeSchema,
  isKnownType,
  payloads,
  readEnvelope,
  readPayload,
} from '../../chord/protocol/envelopes';

test('unknown types and fields pass untouched', () => {
  const line = { type: 'from_the_future', seq: 4, payload: { a: { b: [1] } }, extra: true };
  expect(envelopeSchema.parse(line)).toEqual(line);
  expect(readEnvelope(envelopeSchema.parse(line))).toEqual({ envelope: line, reading: undefined });
});

test.each(['toString', 'constructor', '__proto__'])('%s is no type that we know', (type) => {
  expect(isKnownType(type)).toBe(false);
});

test('an odd seq and an odd payload read as absent', () => {
  expect(envelopeSchema.parse({ type: 'idle', seq: 'x', payload: 7 })).toEqual({
    type: 'idle',
    seq: undefined,
    payload: undefined,
  });
});

test('a missing list and null read as empty, a missing count as unknown', () => {
  const payload = { request_id: 'r1', needs_approval: null, timeout_ms: null };
  expect(readPayload('confirm_request', { type: 'confirm_request', payload })).toMatchObject({
    needs_approval: [],
    already_allowed: [],
    timeout_ms: 0,
  });
  expect(readPayload('idle', { type: 'idle', payload: {} }).running_jobs).toBeNull();
});

test('what we do not know of a payload stays in the envelope, and not in its reading', () => {
  const line = { type: 'info', payload: { message: 'x', brand_new: 1 }, brand_new: 2 };
  const envelope = envelopeSchema.parse(line);
  expect(readPayload('info', envelope)).toEqual({ agent_id: '', message: 'x' });
  expect(envelope).toEqual(line);
});

test('an odd field reads as empty', () => {
  const payload = { agent_id: 7, text: null, tool_calls: 'x', parent_agent_id: {} };
  expect(readPayload('assistant_message', { type: 'assistant_message', payload })).toEqual({
    agent_id: '',
    task_id: '',
    agent_type: '',
    parent_agent_id: '',
    text: '',
    tool_calls: 0,
  });
  expect(readPayload('confirm_request', { type: 'x', payload: { needs_approval: ['a', 1] } })).toMatchObject({
    needs_approval: [],
  });
});

test('B70: no payload whatever makes a reading throw', () => {
  const types = Object.keys(payloads) as (keyof typeof payloads)[];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.dictionary(fc.string(), fc.jsonValue()), (type, payload) => {
      readPayload(type, { type, payload });
    }),
    { numRuns: 500 },
  );
});

test('B70: nor any value in a field that we read', () => {
  const types = Object.keys(payloads) as (keyof typeof payloads)[];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), (type, value) => {
      const payload = Object.fromEntries(Object.keys(payloads[type].shape).map((name) => [name, value]));
      readPayload(type, { type, payload });
    }),
    { numRuns: 500 },
  );
});
