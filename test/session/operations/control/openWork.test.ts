import { FakeChord } from '../../support/FakeChord';
import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const reasons = async ({ session }: Harness): Promise<unknown> =>
  (await failure(Promise.resolve().then(() => session.refuseToDisturb('Nothing was done')))).facts.details
    ?.reasons;

test('where nothing goes on nobody is disturbed', async () => {
  const { session } = await Harness.start('d2');
  expect(() => session.refuseToDisturb('Nothing was done')).not.toThrow();
  expect(session.isIdle).toBe(true);
});

test.each<[string, (harness: Harness) => unknown, string[]]>([
  [
    'a turn',
    ({ chord }) => chord.work(),
    ['a turn has been running since 2030-01-01T00:00:00.000Z (receiving reply)'],
  ],
  [
    'an open plan, which needs no work',
    ({ chord }) => {
      chord.handoffRequest('h1');
      chord.idle();
    },
    ['the handoff h1 is waiting for a decision'],
  ],
  ['background jobs', ({ chord }) => chord.idle('', { running_jobs: 2 }), ['2 background jobs are running']],
  ['one job', ({ chord }) => chord.idle('', { running_jobs: 1 }), ['1 background job is running']],
  [
    'a message that Chord has not taken up',
    (harness) => harness.send('x', { waitFor: 'nothing' }),
    ['a message is waiting or on its way'],
  ],
  [
    'a message whose outcome is unknown',
    async (harness) => {
      void harness.send('x', { waitFor: 'nothing' });
      await settle();
      harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    },
    ['it is unknown what became of the message "x"'],
  ],
])('%s is named', async (_, begin, expected) => {
  const harness = await Harness.start('d2');
  await begin(harness);
  await settle();
  expect(await reasons(harness)).toEqual(expected);
  expect(harness.session.isIdle).toBe(false);
});

test('a request comes first: its error names it', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  harness.chord.confirmRequest('r1');
  const error = await failure(Promise.resolve().then(() => harness.session.refuseToDisturb('No')));
  expect(error).toMatchObject({ code: 'request_open', facts: { requestId: 'r1' } });
});

test('a new process ends what the former one did', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
  await harness.attach(new FakeChord('d2'));
  expect(harness.session.isIdle).toBe(true);
});
