import { settle, failure } from '../../support/promises';
import { finished, handedOut, Harness } from '../../support/Harness';
import { sent } from '../support/turns';

describe('how a turn ends', () => {
  test.each([
    ['an error, then more work and a reply', true, 'completed'],
    ['an error as its last word', false, 'failed'],
  ])('D1, which says error after every retry: %s', async (_, recovers, outcome) => {
    const { call, chord } = await sent('d1');
    chord.work();
    chord.push('error', { agent_id: 'main-1', message: 'API error 500' });
    if (recovers) {
      chord.work();
      chord.say('Here it is.');
    }
    chord.idle('error');
    if (recovers) {
      expect(finished(await call)).toMatchObject({ outcome, turn: { warnings: ['API error 500'] } });
    } else {
      const error = await failure(call);
      expect(error).toMatchObject({ code: 'turn_failed' });
      expect(error.message).toContain('API error 500');
      expect(error.facts.details).toMatchObject({ outcome, turn: { errors: ['API error 500'] } });
    }
  });

  test('with silent retries the outcome is believed', async () => {
    const { call, chord } = await sent('d2');
    chord.work();
    chord.push('error', { agent_id: 'main', message: 'The model is gone.' });
    chord.say('Sorry.');
    chord.idle('error');
    expect((await failure(call)).code).toBe('turn_failed');
  });

  test('a command error is no error of the turn', async () => {
    const { call, chord } = await sent('d1');
    chord.work();
    chord.reply('error', { message: 'no matching pending handoff' });
    chord.say('Done.');
    chord.idle();
    expect(finished(await call).turn).toMatchObject({ warnings: [], errors: [] });
  });

  test('a cancelled turn is cancelled, also where Chord says completed', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    expect(await harness.session.cancel()).toEqual({ cancelled: true });
    chord.idle('completed');
    expect(finished(await call).outcome).toBe('cancelled');
  });

  test('an outcome that a cancel spoiled while nothing ran is not the turn’s', async () => {
    const { call, chord } = await sent('d1');
    chord.work();
    chord.say('Hello.');
    chord.idle('cancelled');
    expect(finished(await call).outcome).toBe('completed');
  });

  test('a cancel while idle is not written', async () => {
    const harness = await Harness.start('d1');
    expect(await harness.session.cancel()).toEqual({ cancelled: false });
    expect(harness.chord.written).toEqual([]);
  });

  test('B68: a report, a notification and an idle are one finished task', async () => {
    const { call, chord, harness } = await sent('d2');
    chord.work();
    chord.push('done_completion', { agent_id: '', report: 'Done.', reason: '', status: 'success' });
    chord.push('notification', { reason: 'task_finished', message: 'Done.' });
    chord.idle();
    await call;
    await settle();
    expect(harness.published('turn_finished')).toHaveLength(1);
    expect(harness.published('turn_finished')[0]).toMatchObject({ outcome: 'completed', text: 'Done.' });
  });

  test('a suppressed idle is no finished task', async () => {
    const harness = await Harness.start('d2');
    harness.chord.idle('', { suppress_user_notification: true });
    await settle();
    expect(harness.published('turn_finished')).toEqual([]);
  });

  test('local commands and a checkpoint are no work', async () => {
    const harness = await Harness.start('d1');
    harness.chord.push('activity', { agent_id: 'main', type: 'compacting', detail: 'context' });
    harness.chord.push('info', { agent_id: '', message: 'Not enough history to compact.' });
    harness.chord.idle('');
    await settle();
    expect(harness.published('turn_finished')).toEqual([]);
  });
});

describe('reports that are not accepted', () => {
  const report = { agent_id: '', report: 'Done.', reason: '', status: 'success' };
  const asked = { tool_name: 'done', done_report: 'Done.', done_reason: 'x' };

  test('a done that we denied is marked, with our reason; the next one counts', async () => {
    const { call, chord, harness } = await sent('d1', { decisions: 'leave' });
    chord.work();
    chord.confirmRequest('r1', asked);
    await harness.confirm('r1', { action: 'deny', denyReason: 'check the spelling' });
    chord.push('done_completion', report);
    chord.work();
    chord.confirmRequest('r2', asked);
    await harness.confirm('r2');
    chord.push('done_completion', { ...report, report: 'Done and checked.' });
    chord.idle();
    const { turn, text } = finished(await call);
    expect(turn?.reports).toMatchObject([
      { text: 'Done.', accepted: false, reason: 'check the spelling' },
      { text: 'Done and checked.', accepted: true },
    ]);
    expect(text).toBe('Done and checked.');
  });

  test('one that a message dismissed is not accepted either', async () => {
    const { call, chord, harness } = await sent('d1', { decisions: 'leave' });
    chord.work();
    chord.confirmRequest('r1', asked);
    const second = harness.send('Rather not.', { whenRequestOpen: 'dismiss', decisions: 'leave' });
    await settle();
    chord.push('done_completion', report);
    chord.work();
    chord.say('As you wish.');
    chord.idle();
    expect(finished(await call).turn?.reports).toMatchObject([{ accepted: false }]);
    expect(finished(await second).text).toBe('As you wish.');
  });

  test('a denial that Chord refused takes the mark back', async () => {
    const { call, chord, harness } = await sent('d1', { decisions: 'leave' });
    chord.work();
    chord.confirmRequest('r1', asked);
    chord.refusals = { confirm: 'rule without pattern' };
    expect((await failure(harness.confirm('r1', { action: 'deny' }))).code).toBe('command_failed');
    await harness.confirm('r1');
    chord.push('done_completion', report);
    chord.idle();
    expect(finished(await call).turn?.reports).toMatchObject([{ accepted: true }]);
  });

  test('B70: the request to finish is an approval, not a finished task', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.confirmRequest('r1', asked);
    expect(handedOut(await call)).toEqual(['r1']);
    expect(harness.published('confirm_request')[0]?.request).toMatchObject({ tool: 'done', report: 'Done.' });
    expect(harness.published('turn_finished', 'done_completion')).toEqual([]);
  });
});
