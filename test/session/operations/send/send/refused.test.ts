import { failure, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { busy } from '../support/sends';

describe('what is refused before anything is written', () => {
  test.each([
    ['nothing', '', {}, 'empty_message'],
    ['blanks of Go and JavaScript', ' \u0085\ufeff\n', {}, 'empty_message'],
    ['a command', '/new', {}, 'command_not_allowed'],
    ['a command behind a blank of Go only', '\u0085/new', {}, 'command_not_allowed'],
    ['a command behind a no-break space', '\u00a0/new', {}, 'command_not_allowed'],
    ['a command as a loop', '/new', { loop: true, allowCommands: true }, 'command_not_allowed'],
  ])('%s', async (_, message, more, code) => {
    const harness = await Harness.start('d1');
    expect((await failure(harness.send(message, more))).code).toBe(code);
    expect(harness.chord.written).toEqual([]);
  });

  test('B77: a line over 1 MiB, counted in UTF-8 bytes; a Status beside it is unharmed', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('é'.repeat(600_000));
    const error = await failure(call);
    expect(error.code).toBe('message_too_long');
    expect(error.message).toMatch(/1200\d\d\d bytes/);
    expect(error.message).toContain('1048576');
    const status = await harness.session.status({ diagnostics: false, includeModels: false });
    expect(status.running).toBe(true);
    expect(harness.chord.written).toEqual([]);
  });

  test('B77: one of 1,048,000 bytes passes', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x'.repeat(1_048_000));
    await settle();
    expect(harness.chord.messages).toHaveLength(1);
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test.each(['/role planner', '/help', '/stats', '/nonsense'])(
    'on D1 %s would reach the model as text',
    async (message) => {
      const harness = await Harness.start('d1');
      expect((await failure(harness.send(message, { allowCommands: true }))).code).toBe('not_supported');
      expect(harness.chord.written).toEqual([]);
    },
  );

  test('nothing more once a transfer was announced, also for one that waits', async () => {
    const { harness, chord } = await busy('d3');
    const waiting = harness.send('x');
    await settle();
    chord.push('session_transfer_preparing', {});
    chord.idle();
    expect((await failure(waiting)).code).toBe('session_busy');
    expect((await failure(harness.send('y'))).code).toBe('session_busy');
    expect(chord.messages).toEqual([]);
  });
});
