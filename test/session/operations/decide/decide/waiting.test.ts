import { failure, settle } from '../../../support/promises';
import { asking } from '../support/decisions';

describe('waiting after a decision', () => {
  test('B55: a stop ends the wait also while the proof is still to come', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const stop = new AbortController();
    const call = harness.confirm('r1', { waitFor: 'turn' }, { signal: stop.signal });
    await settle();
    stop.abort();
    expect((await failure(call)).code).toBe('interrupted');
    chord.answerAll();
    await settle();
    expect(await harness.ledger('r1')).toMatchObject({ state: 'answered', action: 'allow' });
  });

  test('a refusal that comes after the stop still opens the request again', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    chord.refusals = { confirm: 'no' };
    const stop = new AbortController();
    const call = harness.confirm('r1', {}, { signal: stop.signal });
    await settle();
    stop.abort();
    await failure(call);
    chord.answerAll();
    await settle();
    expect(await harness.open()).toEqual(['r1']);
    expect((await harness.confirm('r1')).decision.action).toBe('allow');
  });

  test('the time limit carries the decision', async () => {
    const { harness } = await asking();
    const call = harness.confirm('r1', { waitFor: 'turn', timeoutMs: 1000 });
    await settle();
    await harness.clock.advance(1000);
    const error = await failure(call);
    expect(error.code).toBe('timeout');
    expect(error.facts.details).toMatchObject({ written: true, decision: { action: 'allow' } });
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('cancels the turn on the limit: %s', async (cancelOnTimeout, cancels) => {
    const { harness, chord } = await asking();
    const call = harness.confirm('r1', { waitFor: 'turn', timeoutMs: 1000, cancelOnTimeout });
    await settle();
    await harness.clock.advance(1000);
    await failure(call);
    expect(chord.of('cancel')).toHaveLength(cancels);
  });
});
