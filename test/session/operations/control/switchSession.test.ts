import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const request = {
  sessionId: '',
  whenRequestOpen: 'fail' as const,
  heldRequests: [],
  force: false,
  callId: '',
};

/** Chord says that it works in another session. */
const switched = async ({ chord }: Harness, id: string) => {
  chord.push('session_switched', { session_id: id });
  chord.push('toast', { agent_id: '', level: 'info', message: `Started new session ${id}` });
  await settle();
};

test.each(['-c', 'a b', 'a/b'])('%j is no session id, and nothing is written', async (sessionId) => {
  const harness = await Harness.start('d2');
  const error = await failure(harness.session.switchSession({ ...request, sessionId }));
  expect(error).toMatchObject({ code: 'invalid_settings' });
  expect(harness.chord.written).toEqual([]);
});

test('a new one: both sessions are named, once Chord works in the new one', async () => {
  const harness = await Harness.start('d2');
  const call = harness.session.switchSession(request);
  await settle();
  expect(harness.chord.messages).toEqual(['/new']);
  await switched(harness, 'S2');
  expect(await call).toEqual({
    previous_session_id: 'S1',
    active_session_id: 'S2',
    text: 'Started new session S2',
  });
});

test('the one that Chord works in is not resumed again', async () => {
  const harness = await Harness.start('d2');
  await switched(harness, 'S2');
  const result = await harness.session.switchSession({ ...request, sessionId: 'S2' });
  expect(result).toMatchObject({ active_session_id: 'S2', previous_session_id: 'S2' });
  expect(harness.chord.written).toEqual([]);
});

test('work is not disturbed; by force it is cancelled first', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  expect(await failure(harness.session.switchSession(request))).toMatchObject({ code: 'session_busy' });
  expect(harness.chord.written).toEqual([]);
  const call = harness.session.switchSession({ ...request, force: true });
  await settle();
  expect(harness.chord.written.map(({ type }) => type)).toEqual(['cancel']);
  harness.chord.idle('cancelled');
  await settle();
  expect(harness.chord.messages).toEqual(['/new']);
  await switched(harness, 'S2');
  expect(await call).toMatchObject({ active_session_id: 'S2' });
});

test.each<['fail' | 'skip', object]>([
  ['fail', { error: expect.objectContaining({ code: 'request_open' }) }],
  ['skip', { value: expect.objectContaining({ skipped: expect.stringContaining('confirm r1') as string }) }],
])('with an open request and %s nothing is written', async (whenRequestOpen, expected) => {
  const harness = await Harness.start('d2');
  harness.chord.confirmRequest('r1');
  const outcome = await harness.session.switchSession({ ...request, whenRequestOpen }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  expect(outcome).toMatchObject(expected);
  expect(harness.chord.written).toEqual([]);
});
