import { FakeChord } from '../../support/FakeChord';
import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const rules = { whenRequestOpen: 'fail' as const, heldRequests: [], callId: '' };

async function transferring() {
  const harness = await Harness.start('d3');
  harness.chord.work();
  harness.chord.confirmRequest('r1');
  harness.chord.questionRequest('q1');
  harness.chord.handoffRequest('h1');
  harness.chord.push('session_transfer_preparing', {});
  return { harness, chord: harness.chord };
}

test('while the session is moved nothing is written but what ends work', async () => {
  const { harness, chord } = await transferring();
  const { session } = harness;
  const tries: Promise<unknown>[] = [
    harness.send('x'),
    harness.confirm('r1'),
    harness.answer('q1', { answers: ['Blue'] }),
    harness.handoff('h1'),
    session.command({ command: 'loop_off', ...rules }),
    session.command({ command: 'compact', ...rules }),
    session.models({ pool: 'beta', agent: 'helper', rules }),
    session.models({ pool: 'beta' }),
    session.role({ role: 'planner', force: true }),
    session.switchSession({ sessionId: '', force: false, ...rules }),
    session.shell('ls'),
  ];
  const codes = await Promise.all(tries.map(async (call) => (await failure(call)).code));
  expect(new Set(codes)).toEqual(new Set(['session_busy', 'request_open']));
  // A request that is open is named first, where it would be dismissed.
  expect(codes.filter((code) => code === 'request_open')).toHaveLength(1);
  const asked = ['models', 'role'];
  expect(chord.written.filter(({ type }) => !asked.includes(type))).toEqual([]);
  expect(chord.of('models').every(({ action }) => action === 'status')).toBe(true);
  expect(chord.of('role').every(({ action }) => action === 'list')).toBe(true);
  expect(await harness.open()).toEqual(['r1', 'q1', 'h1']);
  await session.cancel();
  expect(chord.of('cancel')).toHaveLength(1);
});

test.each<[string, (harness: Harness) => unknown]>([
  ['the release', ({ chord }) => chord.push('session_transfer_released', {})],
  [
    'a new process',
    async (harness) => {
      harness.chord.transport.exit({ exitCode: 0, signal: null, expected: false });
      await harness.attach(new FakeChord('d3'));
      harness.chord.work();
      harness.chord.confirmRequest('r1');
    },
  ],
  ["a person's word", ({ session }) => session.acknowledge()],
])('%s ends the block', async (_, lift) => {
  const { harness } = await transferring();
  await lift(harness);
  await settle();
  await harness.confirm('r1');
  expect(harness.chord.of('confirm')).toHaveLength(1);
});

test('lifting says whether there was a block', async () => {
  const { harness } = await transferring();
  expect(await harness.session.acknowledge()).toMatchObject({ transfer_lifted: true });
  expect(await harness.session.acknowledge()).toMatchObject({ transfer_lifted: false });
});
