import { Harness } from '../../support/Harness';
import { failure } from '../../support/promises';

const actions = ({ chord }: Harness) => chord.of('role').map(({ action }) => action);

test('are listed, and one that is set is read back', async () => {
  const harness = await Harness.start('d2');
  expect(await harness.session.role({})).toEqual({
    roles: [
      { name: 'builder', current: true },
      { name: 'reviewer', current: false },
    ],
  });
  const { roles } = await harness.session.role({ role: ' reviewer ' });
  expect(roles).toContainEqual({ name: 'reviewer', current: true });
  expect(actions(harness)).toEqual(['list', 'list', 'set', 'list']);
});

test('the active one is not set again, which Chord would call an error', async () => {
  const harness = await Harness.start('d2');
  await harness.session.role({ role: 'builder' });
  expect(actions(harness)).toEqual(['list']);
});

test('an empty name is refused before Chord is asked', async () => {
  const harness = await Harness.start('d2');
  expect(await failure(harness.session.role({ role: ' ' }))).toMatchObject({ code: 'invalid_settings' });
  expect(actions(harness)).toEqual([]);
});

test('while somebody is at work one is only set by force', async () => {
  const harness = await Harness.start('d2');
  harness.chord.work();
  expect(await failure(harness.session.role({ role: 'reviewer' }))).toMatchObject({ code: 'session_busy' });
  expect(actions(harness)).toEqual(['list']);
  await harness.session.role({ role: 'reviewer', force: true });
  expect(actions(harness)).toContain('set');
});

test('a Chord without roles is named as the reason', async () => {
  const harness = await Harness.start('d1');
  harness.chord.refusals.role = 'unknown command type "role"';
  expect(await failure(harness.session.role({}))).toMatchObject({ code: 'not_supported' });
});

test('any other refusal is Chord’s own word', async () => {
  const harness = await Harness.start('d2');
  harness.chord.refusals.role = 'not now';
  const error = await failure(harness.session.role({}));
  expect(error).toMatchObject({ code: 'command_failed' });
  expect(error.message).toContain('not now');
});
