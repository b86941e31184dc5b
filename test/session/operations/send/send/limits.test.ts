import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import type { SendRequest } from '../../../../../chord/session/contract';
import { busy, asking } from '../support/sends';

describe('not waiting', () => {
  test('gives sent, and the next message waits until it was taken up', async () => {
    const harness = await Harness.start('d1');
    expect(finished(await harness.send('one', { waitFor: 'nothing' }))).toMatchObject({
      outcome: 'sent',
      turn: null,
    });
    const second = harness.send('two');
    await settle();
    expect(harness.chord.messages).toEqual(['one']);
    harness.chord.turn('1');
    await settle();
    expect(harness.chord.messages).toEqual(['one', 'two']);
    harness.chord.turn('2');
    expect(finished(await second).text).toBe('2');
  });

  test('gives queued when it joined a running turn', async () => {
    const { harness } = await busy();
    const call = harness.send('x', { waitFor: 'nothing', whenBusy: 'join' });
    expect(finished(await call).outcome).toBe('queued');
  });

  test('wait holds the node until the line is written', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { waitFor: 'nothing' });
    expect(await isWaiting(call)).toBe(true);
    chord.idle();
    expect(finished(await call).outcome).toBe('sent');
  });

  test('names what it dismissed', async () => {
    const { harness } = await asking();
    const call = harness.send('x', { waitFor: 'nothing', whenRequestOpen: 'dismiss' });
    expect(finished(await call).dismissed).toEqual(['r1']);
  });

  test('a message that Chord never takes up gives its place free after a while', async () => {
    const harness = await Harness.start('d1');
    await harness.send('one', { waitFor: 'nothing' });
    const second = harness.send('two');
    expect(await isWaiting(second)).toBe(true);
    await harness.clock.advance(5000);
    expect(harness.chord.messages).toEqual(['one', 'two']);
  });
});

describe('time limit and stop', () => {
  test('runs from the call on, also while it waits for its place; nothing was written', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { timeoutMs: 1000 });
    await harness.clock.advance(1000);
    const error = await failure(call);
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error.facts.details).toMatchObject({ written: false });
    chord.idle();
    await settle();
    expect(chord.messages).toEqual([]);
  });

  test('says that it was written', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', { timeoutMs: 1000 });
    await settle();
    await harness.clock.advance(1000);
    expect((await failure(call)).facts.details).toMatchObject({ written: true });
  });

  test('B55: a stopped execution ends its wait at once, and the turn goes on', async () => {
    const harness = await Harness.start('d1');
    const stop = new AbortController();
    const call = harness.send('x', {}, { signal: stop.signal });
    await settle();
    harness.chord.work();
    stop.abort();
    expect((await failure(call)).code).toBe('interrupted');
    await settle();
    expect(harness.chord.of('cancel')).toEqual([]);
    expect(harness.session.attached).toBe(true);
  });

  test('a call that was stopped before it began writes nothing', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', {}, { signal: AbortSignal.abort() });
    expect((await failure(call)).code).toBe('interrupted');
    await settle();
    expect(harness.chord.messages).toEqual([]);
  });

  const cancelling: Partial<SendRequest> = { cancelOnTimeout: true, cancelOnStop: true, timeoutMs: 1000 };

  test('cancels its own running turn when asked', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', cancelling);
    await settle();
    harness.chord.work();
    await harness.clock.advance(1000);
    await failure(call);
    expect(harness.chord.of('cancel')).toHaveLength(1);
  });

  test('B55: cancels on stop only with the option', async () => {
    const harness = await Harness.start('d1');
    const stop = new AbortController();
    const call = harness.send('x', { cancelOnStop: true }, { signal: stop.signal });
    await settle();
    harness.chord.work();
    stop.abort();
    await failure(call);
    expect(harness.chord.of('cancel')).toHaveLength(1);
  });

  test.each([
    ['that waits for its place', { ...cancelling }],
    ['that joined another', { ...cancelling, whenBusy: 'join' as const }],
  ])('never another’s: one %s', async (_, options) => {
    const { harness, chord } = await busy();
    const call = harness.send('x', options);
    await settle();
    await harness.clock.advance(1000);
    expect((await failure(call)).code).toBe('timeout');
    expect(chord.of('cancel')).toEqual([]);
  });

  test('not while nothing runs: it would spoil the next turn', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', cancelling);
    await settle();
    await harness.clock.advance(1000);
    await failure(call);
    expect(harness.chord.of('cancel')).toEqual([]);
  });

  test('the end of n8n interrupts every wait', async () => {
    const { harness } = await busy();
    const waiting = harness.send('x');
    await settle();
    harness.session.interrupt('n8n shuts down');
    expect((await failure(waiting)).code).toBe('interrupted');
  });
});
