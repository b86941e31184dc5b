import { settle, isWaiting } from '../../support/promises';
import { finished, handedOut } from '../../support/Harness';
import { sent } from '../support/turns';

describe('handoffs', () => {
  test('B71: an idle right after a handoff ends no turn (D1); the one after accept does', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.say('The plan is saved.', 1);
    chord.handoffRequest('h1');
    chord.idle();
    expect(handedOut(await call)).toEqual(['h1']);
    expect(harness.published('turn_finished')).toEqual([]);
    const decided = harness.handoff('h1', { waitFor: 'turn' });
    expect(await isWaiting(decided)).toBe(true);
    expect(chord.of('handoff')).toEqual([
      { type: 'handoff', request_id: 'h1', action: 'accept', agent: 'builder' },
    ]);
    chord.turn('It is built.');
    const { after, decision } = await decided;
    expect(decision).toMatchObject({ action: 'approve', verified_by: 'taken' });
    expect(finished(after)).toMatchObject({ text: 'It is built.' });
    await settle();
    expect(harness.published('turn_finished')).toHaveLength(1);
  });

  test('B71: cancel ends the turn at once where the idle came before (D1)', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.say('The plan is saved.', 1);
    chord.handoffRequest('h1');
    chord.idle();
    await call;
    const { after, decision } = await harness.handoff('h1', { action: 'cancel', waitFor: 'turn' });
    expect(decision).toMatchObject({ action: 'cancel' });
    expect(finished(after).text).toBe('The plan is saved.');
    await settle();
    expect(harness.published('turn_finished')).toHaveLength(1);
  });

  test('where idle is held back, it ends the turn after the cancel', async () => {
    const { call, chord, harness } = await sent('d2');
    chord.work();
    chord.say('The plan is saved.', 1);
    chord.handoffRequest('h1');
    await call;
    const decided = harness.handoff('h1', { action: 'cancel', waitFor: 'turn' });
    expect(await isWaiting(decided)).toBe(true);
    chord.idle();
    expect(finished((await decided).after).text).toBe('The plan is saved.');
  });
});

describe('durable questions', () => {
  test('an idle while the agent rests on one ends no turn; the answer goes on with it', async () => {
    const { call, chord, harness } = await sent('d3');
    chord.work();
    chord.questionRequest('q1');
    expect(handedOut(await call)).toEqual(['q1']);
    chord.push('activity', { agent_id: 'main', type: 'waiting_input', detail: '' });
    chord.idle();
    await settle();
    expect(harness.published('turn_finished')).toEqual([]);
    const decided = harness.answer('q1', { answers: ['Red'], waitFor: 'turn' });
    expect(await isWaiting(decided)).toBe(true);
    chord.turn('Red it is.');
    expect(finished((await decided).after).text).toBe('Red it is.');
  });

  test('an idle without such a rest ends the turn, though a question is open', async () => {
    const { call, chord } = await sent('d3', { decisions: 'leave' });
    chord.work();
    chord.questionRequest('q1', { response_policy: 'optional' });
    chord.work();
    chord.say('I went on without.');
    chord.idle();
    expect(finished(await call).text).toBe('I went on without.');
  });

  test('a message may come while the agent rests: it shares the turn', async () => {
    const { call, chord, harness } = await sent('d3');
    chord.work();
    chord.questionRequest('q1');
    await call;
    chord.push('activity', { agent_id: 'main', type: 'waiting_input', detail: '' });
    chord.idle();
    const second = harness.send('Something else first.');
    await settle();
    expect(chord.messages).toEqual(['Do it.', 'Something else first.']);
    chord.turn('Done with that.');
    expect(finished(await second)).toMatchObject({ text: 'Done with that.', shared: true });
  });

  test('a declined question after which nothing follows ends the turn', async () => {
    const { call, chord, harness } = await sent('d3');
    chord.work();
    chord.say('I need to know.', 1);
    chord.questionRequest('q1');
    await call;
    chord.push('activity', { agent_id: 'main', type: 'waiting_input', detail: '' });
    chord.idle();
    const decided = harness.answer('q1', { action: 'decline', waitFor: 'turn' });
    expect(await isWaiting(decided)).toBe(true);
    await harness.clock.advance(5000);
    expect(finished((await decided).after)).toMatchObject({ text: 'I need to know.' });
  });
});
