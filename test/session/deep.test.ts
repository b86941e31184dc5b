import fc from 'fast-check';
import { LineDecoder } from '../../chord/process/LineDecoder';
import type { ProtocolProblem } from '../../chord/process';
import { payloads, type Envelope } from '../../chord/protocol/envelopes';
import { Harness } from './support/Harness';
import { settle } from './support/promises';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const problems = ({ events }: Harness) =>
  events.filter(({ event }) => event === 'protocol_error').map(({ payload }) => payload);

test('a request whose arguments nest 5,000 deep is shown with them as text, and one protocol error names it', async () => {
  const harness = await Harness.start('d2');
  const source = `{"command":"ls","more":${nested(5000)}}`;
  harness.chord.push('confirm_request', { request_id: 'r1', tool_name: 'shell', args_json: source });
  await settle();
  const request = harness.events.find(({ event }) => event === 'confirm_request');
  expect(request?.request).toMatchObject({ id: 'r1', arguments: source });
  expect(problems(harness)).toMatchObject([
    { reason: 'arguments_unreadable', type: 'confirm_request', request_id: 'r1' },
  ]);
  await harness.session.status({ diagnostics: true, includeModels: false });
  expect(problems(harness)).toHaveLength(1);
  harness.chord.push('toast', { message: 'still here', level: 'info' });
  expect(harness.events.at(-1)).toMatchObject({ event: 'toast' });
});

test('a time limit beyond all dates is none', async () => {
  const harness = await Harness.start('d2');
  harness.chord.push('confirm_request', { request_id: 'r1', tool_name: 'shell', timeout_ms: 1e300 });
  expect(harness.events.at(-1)?.request).toMatchObject({ id: 'r1', expires_at: null, on_expiry: 'none' });
  expect(problems(harness)).toEqual([]);
});

test('a line that nests too deep becomes one problem that names it, and the stream goes on', () => {
  const found: (Envelope | ProtocolProblem)[] = [];
  const decoder = new LineDecoder({
    envelope: (envelope) => found.push(envelope),
    problem: (problem) => found.push(problem),
  });
  const deep = `{"type":"info","payload":{"request_id":"r1","x":${nested(5000)}}}`;
  decoder.push(Buffer.from(`${deep}\n{"type":"idle"}\n`));
  expect(found).toMatchObject([
    { reason: 'too_deep', type: 'info', request_id: 'r1', bytes: deep.length },
    { type: 'idle' },
  ]);
});

/** Values that Chord never sends, and texts that hold JSON of any depth. */
const odd = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.nat(8000).map(nested),
  fc.nat(8000).map((levels) => `{"command":${nested(levels)}}`),
  fc.jsonValue({ maxDepth: 5 }),
  fc.double(),
  fc.string({ unit: 'binary' }),
);

const keys = [...new Set(Object.values(payloads).flatMap((schema) => Object.keys(schema.shape)))];

const envelope = fc.record({
  type: fc.constantFrom(...Object.keys(payloads)),
  payload: fc.dictionary(fc.constantFrom(...keys), odd, { maxKeys: 12 }),
});

test('no envelope throws out of the reader, and what is told of it can be copied and written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(envelope, { maxLength: 20 }), async (envelopes) => {
      const harness = await Harness.start('d2');
      for (const one of envelopes) harness.chord.raw(one);
      await settle();
      for (const event of harness.events) JSON.stringify(structuredClone(event));
      expect(problems(harness).filter(({ reason }) => reason === 'not_handled')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('what fails in our own hands is told as well', async () => {
  const harness = await Harness.start('d2');
  const touched = jest.spyOn(harness, 'touched').mockImplementation(() => {
    throw new Error('broken');
  });
  expect(() => harness.chord.push('info', { message: 'hello', request_id: 'r1' })).not.toThrow();
  touched.mockRestore();
  expect(problems(harness)).toMatchObject([
    { reason: 'not_handled', type: 'info', request_id: 'r1', sample: 'Error: broken' },
  ]);
  harness.chord.push('toast', { message: 'still here', level: 'info' });
  expect(harness.events.at(-1)).toMatchObject({ event: 'toast' });
});
