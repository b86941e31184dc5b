import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { busy } from '../support/sends';

describe('while Chord is busy', () => {
  test('wait: written once it is idle, in order, each with its own turn', async () => {
    const { harness, chord } = await busy();
    const calls = ['one', 'two', 'three'].map((message) => harness.send(message));
    await settle();
    expect(chord.messages).toEqual([]);
    expect((await harness.session.status({ diagnostics: false, includeModels: false })).queued_sends).toBe(3);
    chord.idle();
    for (const [at, text] of ['1', '2', '3'].entries()) {
      await settle();
      expect(chord.messages).toHaveLength(at + 1);
      chord.turn(text);
      expect(finished(await calls[at]!).text).toBe(text);
    }
    expect(chord.messages).toEqual(['one', 'two', 'three']);
  });

  test('B56: of two messages at once on an idle session the second waits', async () => {
    const harness = await Harness.start('d1');
    const calls = [harness.send('one'), harness.send('two')];
    await settle();
    expect(harness.chord.messages).toEqual(['one']);
    harness.chord.turn('1');
    expect(await isWaiting(calls[1]!)).toBe(true);
    harness.chord.turn('2');
    expect(finished(await calls[0]!).text).toBe('1');
    expect(finished(await calls[1]!).text).toBe('2');
  });

  test('join: written at once, the result is shared and says so', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('one');
    await settle();
    harness.chord.work();
    const second = harness.send('two', { whenBusy: 'join' });
    await settle();
    expect(harness.chord.messages).toEqual(['one', 'two']);
    harness.chord.work();
    harness.chord.say('both');
    harness.chord.idle();
    expect(finished(await second)).toMatchObject({ text: 'both', shared: true });
    expect(finished(await first)).toMatchObject({ text: 'both' });
    expect(finished(await first).shared).toBeUndefined();
  });

  test('B56: an idle that was on its way when the message joined is not its own', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    chord.idle();
    expect(await isWaiting(call)).toBe(true);
    chord.turn('two');
    expect(finished(await call)).toMatchObject({ text: 'two' });
  });

  test('one that the running turn took in without more work ends with that turn', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    chord.idle();
    await harness.clock.advance(5000);
    expect(finished(await call)).toMatchObject({ outcome: 'completed', shared: true });
  });

  test('one that a cancel swallowed ends with it', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    await harness.session.cancel();
    chord.idle('cancelled');
    expect(finished(await call).outcome).toBe('cancelled');
  });

  test('a status that shows it at rest lets the next message in, as an idle does', async () => {
    const harness = await Harness.start('d1', { prepare: (chord) => (chord.busy = true) });
    const call = harness.send('x');
    await settle();
    expect(harness.chord.messages).toEqual([]);
    harness.chord.busy = false;
    await harness.session.status({ diagnostics: false, includeModels: false });
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('skip: nothing is written, and the reason is said', async () => {
    const { harness, chord } = await busy();
    const result = finished(await harness.send('x', { whenBusy: 'skip' }));
    expect(result).toMatchObject({ outcome: 'skipped', turn: null });
    expect(result.reason).toContain('busy');
    expect(chord.messages).toEqual([]);
  });

  test('fail', async () => {
    const { harness, chord } = await busy();
    expect((await failure(harness.send('x', { whenBusy: 'fail' }))).code).toBe('session_busy');
    expect(chord.messages).toEqual([]);
  });

  test('an open local shell counts as busy', async () => {
    const harness = await Harness.start('d1');
    harness.chord.mute = true;
    const shell = harness.session.shell('sleep 9');
    await settle();
    const call = harness.send('x');
    await settle();
    expect(harness.chord.messages).toEqual([]);
    harness.chord.answerAll();
    await shell;
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    harness.chord.turn('y');
    await call;
  });
});
