import { ChordError } from '../../../../../chord/errors';
import { failure, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { busy } from '../support/sends';

describe('notes', () => {
  test('a second call of the same name returns what the first came to, and writes nothing', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('x', { callId: '1/Send/0/0' });
    const beside = harness.send('x', { callId: '1/Send/0/0' });
    await settle();
    harness.chord.turn('y');
    expect(finished(await first).text).toBe('y');
    expect(await beside).toEqual(await first);
    expect(await harness.send('x', { callId: '1/Send/0/0' })).toEqual(await first);
    expect(harness.chord.messages).toEqual(['x']);
  });

  test('one that was written and failed returns its failure', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('x', { callId: '1', timeoutMs: 10 });
    await settle();
    await harness.clock.advance(10);
    await failure(first);
    expect((await failure(harness.send('x', { callId: '1' }))).code).toBe('timeout');
    expect(harness.chord.messages).toEqual(['x']);
  });

  test('one whose line could not be written may try again', async () => {
    const harness = await Harness.start('d1');
    const write = jest
      .spyOn(harness.chord.transport, 'write')
      .mockRejectedValue(new ChordError('write_failed', 'x'));
    expect((await failure(harness.send('x', { callId: '1' }))).code).toBe('write_failed');
    write.mockRestore();
    expect(harness.session.isIdle).toBe(true);
    const call = harness.send('x', { callId: '1' });
    await settle();
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('one that wrote nothing may try again', async () => {
    const { harness, chord } = await busy();
    await failure(harness.send('x', { callId: '1', whenBusy: 'fail' }));
    finished(await harness.send('x', { callId: '1', whenBusy: 'skip' }));
    chord.idle();
    const call = harness.send('x', { callId: '1' });
    await settle();
    chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });
});

test('B53: two sessions keep their events, waiters and equal request ids apart', async () => {
  const [a, b] = [await Harness.start('d1'), await Harness.start('d1')];
  const calls = [a.send('a'), b.send('b')];
  await settle();
  a.chord.work();
  a.chord.confirmRequest('r1');
  b.chord.work();
  b.chord.say('of b');
  b.chord.idle();
  expect((await calls[0])?.kind).toBe('needs_decision');
  expect(finished((await calls[1])!).text).toBe('of b');
  expect(b.published('confirm_request')).toEqual([]);
  expect((await failure(b.confirm('r1', { fromItem: false }))).code).toBe('unknown_request');
  expect(await a.open()).toEqual(['r1']);
});
