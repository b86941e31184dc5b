import { settle, isWaiting } from '../../support/promises';
import { finished, handedOut } from '../../support/Harness';
import { sent } from '../support/turns';

describe('who gets the requests of a turn', () => {
  const production = { id: 'trigger', production: true, filter: { events: ['confirm_request'] } };

  test.each([
    ['auto', true, 'trigger'],
    ['auto', false, 'output'],
    ['return', true, 'output'],
    ['leave', false, ''],
  ] as const)('%s, a trigger: %s', async (decisions, hasTrigger, to) => {
    const { call, chord, harness } = await sent('d1', { decisions });
    if (hasTrigger) await harness.listen(production, () => undefined);
    chord.work();
    chord.confirmRequest('r1');
    chord.work();
    chord.idle();
    if (to === 'output') expect(handedOut(await call)).toEqual(['r1']);
    else expect(finished(await call).turn?.requests).toEqual([{ id: 'r1', kind: 'confirm', handed_to: to }]);
  });

  test.each([
    ['a manual test', { ...production, production: false }],
    ['a trigger of other tools', { ...production, filter: { ...production.filter, toolNames: ['write'] } }],
    ['a trigger of other events', { ...production, filter: { events: ['turn_finished'] } }],
  ])('%s does not take it', async (_, listener) => {
    const { call, chord, harness } = await sent('d1');
    await harness.listen(listener, () => undefined);
    chord.work();
    chord.confirmRequest('r1');
    expect(handedOut(await call)).toEqual(['r1']);
  });

  test('of a joined turn the message that was written first', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    const second = harness.send('And this.', { whenBusy: 'join' });
    await settle();
    chord.work();
    chord.confirmRequest('r1');
    expect(handedOut(await call)).toEqual(['r1']);
    expect(await isWaiting(second)).toBe(true);
  });

  test('the answer that waits gets the next request', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.confirmRequest('r1');
    await call;
    const decided = harness.confirm('r1', { waitFor: 'turn' });
    await settle();
    chord.work();
    chord.confirmRequest('r2');
    const { decision, after } = await decided;
    expect(decision.request_id).toBe('r1');
    expect(handedOut(after)).toEqual(['r2']);
  });

  test('the answer that waits gets what came up while nobody waited', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.confirmRequest('r1');
    await call;
    chord.handoffRequest('h1');
    const { after } = await harness.confirm('r1', { waitFor: 'turn' });
    expect(handedOut(after)).toEqual(['h1']);
  });

  test('but not what another output carries already', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.handoffRequest('h1');
    expect(handedOut(await call)).toEqual(['h1']);
    chord.confirmRequest('r1');
    const decided = harness.confirm('r1', { waitFor: 'turn' });
    expect(await isWaiting(decided)).toBe(true);
  });

  test('B65: of two questions the second one comes when the first is answered', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.questionRequest('q1');
    expect(handedOut(await call)).toEqual(['q1']);
    const decided = harness.answer('q1', { answers: ['1'], waitFor: 'turn' });
    await settle();
    chord.questionRequest('q2');
    expect(handedOut((await decided).after)).toEqual(['q2']);
  });
});
