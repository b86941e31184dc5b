import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const set = ({ chord }: Harness) => chord.of('models').filter(({ action }) => action !== 'status');

const rules = { whenRequestOpen: 'skip' as const, heldRequests: [], callId: '' };

test('are read from what Chord shows', async () => {
  const harness = await Harness.start('d2');
  expect(await harness.session.models({})).toMatchObject({
    current_pool: 'alpha',
    agents: [{ name: 'helper', pool: 'alpha', fixed: false }],
  });
  expect(set(harness)).toEqual([]);
});

test('one that is set is read back; one that is in use already is not set', async () => {
  const harness = await Harness.start('d2');
  expect(await harness.session.models({ pool: 'beta' })).toMatchObject({ current_pool: 'beta' });
  await harness.session.models({ pool: 'beta' });
  expect(set(harness)).toHaveLength(1);
});

test('one that Chord accepts and does not use counts as refused', async () => {
  const harness = await Harness.start('d2');
  harness.chord.dropsPool = true;
  const error = failure(harness.session.models({ pool: 'beta' }));
  for (let reading = 0; reading < 20; reading += 1) {
    await settle();
    await harness.clock.advance(100);
  }
  expect(await error).toMatchObject({ code: 'command_failed' });
});

test('the reason is told that Chord gives for it afterwards', async () => {
  const harness = await Harness.start('d2');
  harness.chord.dropsPool = true;
  const error = failure(harness.session.models({ pool: 'beta' }));
  harness.chord.push('error', { message: '/models: no pool beta' });
  await settle();
  expect((await error).message).toContain('no pool beta');
});

test.each([
  ['', ''],
  ['-beta', ''],
  ['two words', ''],
  ['beta', '-helper'],
])('the names %j and %j are refused before Chord is asked', async (pool, agent) => {
  const harness = await Harness.start('d2');
  expect(await failure(harness.session.models({ pool, agent }))).toMatchObject({ code: 'invalid_settings' });
  expect(harness.chord.of('models')).toEqual([]);
});

test('for one agent Chord has a slash command only, which an open request may hold back', async () => {
  const harness = await Harness.start('d2');
  harness.chord.confirmRequest('r1');
  const skipped = await harness.session.models({ pool: 'beta', agent: 'helper', rules });
  expect(skipped.skipped).toContain('confirm r1');
  expect(harness.chord.messages).toEqual([]);
});

test('for one agent it goes by that command', async () => {
  const harness = await Harness.start('d2');
  void harness.session.models({ pool: 'beta', agent: 'helper', rules }).catch(() => undefined);
  await settle();
  expect(harness.chord.messages).toEqual(['/models --agent helper beta']);
});
