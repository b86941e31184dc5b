import { FakeChord } from '../../support/FakeChord';
import { Harness } from '../../support/Harness';
import { failure, settle } from '../../support/promises';

const result = { command: 'ls', output: 'out', failed: false };

test('of two shell commands at once the session is busy until the second one has ended', async () => {
  const harness = await Harness.start('d2');
  harness.chord.mute = true;
  const both = [harness.session.shell('one'), harness.session.shell('two')];
  await settle();
  harness.chord.reply('local_shell_result', result);
  await both[0];
  expect(harness.session.isIdle).toBe(false);
  expect(() => harness.session.refuseToDisturb('Nothing')).toThrow('a local shell command is running');
  harness.chord.reply('local_shell_result', result);
  await both[1];
  expect(harness.session.isIdle).toBe(true);
});

test('one whose process has ended does not end the one of the next process', async () => {
  const harness = await Harness.start('d2');
  harness.chord.mute = true;
  const lost = failure(harness.session.shell('one'));
  await settle();
  harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
  const next = new FakeChord('d2');
  await harness.attach(next);
  next.mute = true;
  const call = harness.session.shell('two');
  await lost;
  await settle();
  expect(harness.session.isIdle).toBe(false);
  next.reply('local_shell_result', result);
  await call;
  expect(harness.session.isIdle).toBe(true);
});
