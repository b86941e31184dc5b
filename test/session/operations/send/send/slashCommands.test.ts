import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { FakeChord } from '../../../support/FakeChord';

describe('slash commands without receipts (D1)', () => {
  const allowed = { allowCommands: true };

  test('what was printed ends it at once', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/models', allowed);
    await settle();
    harness.chord.push('info', { agent_id: '', message: 'Model pool: alpha' });
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'Model pool: alpha', turn: null });
    expect(harness.session.isIdle).toBe(true);
  });

  test('nothing at all: handled after 2 s and a status that is not busy', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/models beta', allowed);
    expect(await isWaiting(call)).toBe(true);
    await harness.clock.advance(2000);
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: '' });
  });

  test('one that works for long without a turn ends with its idle', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/compact', allowed);
    await settle();
    harness.chord.push('activity', { agent_id: 'main', type: 'compacting', detail: 'context' });
    await harness.clock.advance(2000);
    expect(await isWaiting(call)).toBe(true);
    harness.chord.push('info', { agent_id: '', message: 'Made shorter.' });
    harness.chord.idle('');
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'Made shorter.' });
  });

  test.each([
    [
      'a command error',
      (chord: FakeChord) => chord.reply('error', { message: '/resume needs the terminal' }),
    ],
    [
      'a runtime error',
      (chord: FakeChord) => chord.push('error', { agent_id: '', message: 'session not found' }),
    ],
  ])('%s is an error', async (_, refuse) => {
    const harness = await Harness.start('d1');
    harness.chord.mute = true;
    const call = harness.send('/resume 19990101', allowed);
    await settle();
    refuse(harness.chord);
    harness.chord.answerAll();
    expect((await failure(call)).code).toBe('command_failed');
  });

  test('/loop on is a turn: its first info ends nothing', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Tidy up', { loop: true });
    await settle();
    expect(harness.chord.messages).toEqual(['/loop on Tidy up']);
    harness.chord.push('info', { agent_id: '', message: 'Loop enabled.' });
    expect(await isWaiting(call)).toBe(true);
    harness.chord.turn('Tidied.');
    expect(finished(await call)).toMatchObject({ outcome: 'completed', text: 'Tidied.' });
  });

  test('/loop on after which no turn comes ends with what was printed', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Tidy up', { loop: true });
    await settle();
    harness.chord.push('toast', { agent_id: '', level: 'warn', message: 'This role has no loop.' });
    await harness.clock.advance(2000);
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'This role has no loop.' });
  });

  test.each<[string, (chord: FakeChord) => void]>([
    ['an error', (chord) => chord.push('error', { agent_id: '', message: 'session not found' })],
    [
      'a notice',
      (chord) => chord.push('toast', { agent_id: '', level: 'warn', message: 'No such session.' }),
    ],
  ])('after a resume that failed by %s the next new session is none that was used', async (_, refuse) => {
    const harness = await Harness.start('d1');
    const failed = harness.send('/resume 19990101', allowed);
    failed.catch(() => undefined);
    await settle();
    refuse(harness.chord);
    harness.chord.idle('');
    await failed.catch(() => undefined);
    // Not asked for by a message of ours.
    harness.chord.push('toast', { agent_id: '', level: 'info', message: 'Started new session S2' });
    expect(harness.sessionChanges.at(-1)).toEqual(['S2', 'empty']);
  });

  test('a switched session is noted as used when it is resumed, as empty when it is new', async () => {
    const harness = await Harness.start('d1');
    for (const [command, toast] of [
      ['/new', 'Started new session S2'],
      ['/resume S1', 'Resumed session from S1: 8 messages restored'],
    ] as const) {
      const call = harness.send(command, allowed);
      await settle();
      harness.chord.push('toast', { agent_id: '', level: 'info', message: toast });
      harness.chord.idle('');
      await call;
    }
    expect(harness.sessionChanges).toEqual([
      ['S1', 'empty'],
      ['S2', 'empty'],
      ['S1', 'used'],
    ]);
  });
});
