import { failure, isWaiting, settle } from '../../support/promises';
import { finished, handedOut, Harness } from '../../support/Harness';

describe('a message and its turn', () => {
  test('a turn runs from the first observed work to the global idle', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Say hello.');
    await settle();
    expect(harness.chord.messages).toEqual(['Say hello.']);
    harness.chord.work();
    harness.chord.say('Hello.');
    expect(await isWaiting(call)).toBe(true);
    harness.chord.idle();
    expect(finished(await call)).toMatchObject({
      outcome: 'completed',
      text: 'Hello.',
      turn: { messages: [{ text: 'Hello.', agent: { is_main: true } }], last_outcome: 'completed' },
    });
  });

  test('an idle before any work beyond the write ends nothing', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Say hello.');
    await settle();
    harness.chord.idle();
    expect(await isWaiting(call)).toBe(true);
    harness.chord.turn('Hello.');
    expect(finished(await call).text).toBe('Hello.');
  });

  test('a suppressed idle ends no turn', async () => {
    const harness = await Harness.start('d2');
    const call = harness.send('Say hello.');
    await settle();
    harness.chord.work();
    harness.chord.idle('', { suppress_user_notification: true });
    expect(await isWaiting(call)).toBe(true);
    harness.chord.turn('Hello.');
    expect(finished(await call).text).toBe('Hello.');
  });

  test('B56: an idle of an earlier message that timed out settles none that was sent after it', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('one', { timeoutMs: 1000 });
    await settle();
    harness.chord.work();
    await harness.clock.advance(1000);
    expect((await failure(first)).code).toBe('timeout');
    const second = harness.send('two');
    await settle();
    expect(harness.chord.messages).toEqual(['one']);
    harness.chord.idle();
    await settle();
    expect(harness.chord.messages).toEqual(['one', 'two']);
    expect(await isWaiting(second)).toBe(true);
    harness.chord.turn('two');
    expect(finished(await second).text).toBe('two');
  });

  test('a request is handed to the message whose turn asks', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Push.');
    await settle();
    harness.chord.work();
    harness.chord.confirmRequest('r1');
    expect(handedOut(await call)).toEqual(['r1']);
  });
});
