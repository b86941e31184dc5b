import { settle, failure, isWaiting } from '../support/promises';
import { finished, handedOut, Harness } from '../support/Harness';

/** A message that was written, and whose turn can begin. */
async function sent(profile: Parameters<typeof Harness.start>[0], more: Parameters<Harness['send']>[1] = {}) {
  const harness = await Harness.start(profile);
  const call = harness.send('Do it.', more);
  await settle();
  return { harness, call, chord: harness.chord };
}

describe('what a turn gathers', () => {
  test('messages, SubAgents, reports, errors, tool calls and retries', async () => {
    const { call, chord, harness } = await sent('d2');
    chord.work();
    chord.say('', 2);
    chord.push('agent_started', { agent_id: 'helper-1', agent_type: 'helper', task_id: 't1' });
    chord.push('assistant_message', {
      agent_id: 'helper-1',
      agent_type: 'helper',
      task_id: 't1',
      text: 'Looking.',
      tool_calls: 1,
    });
    chord.push('agent_done', {
      agent_id: 'helper-1',
      agent_type: 'helper',
      task_id: 't1',
      summary: 'Found it.',
    });
    chord.push('activity', { agent_id: 'main', type: 'retrying', detail: 'round 2' });
    chord.push('activity', { agent_id: 'main', type: 'retrying_key', detail: '' });
    chord.push('error', { agent_id: 'main-1', message: 'API error 429' });
    chord.push('done_completion', { agent_id: '', report: 'All done.', reason: '', status: 'success' });
    await harness.clock.advance(3000);
    chord.idle();
    expect(finished(await call)).toMatchObject({
      outcome: 'completed',
      text: 'All done.',
      turn: {
        messages: [
          { text: 'Looking.', agent: { id: 'helper-1', type: 'helper', task_id: 't1', is_main: false } },
        ],
        subagents: [{ summary: 'Found it.' }],
        reports: [{ text: 'All done.', accepted: true, status: 'success' }],
        warnings: ['API error 429'],
        errors: [],
        tool_calls: { main: 2, subagents: 1 },
        retries: 2,
        running_jobs: 0,
        started_at: '2030-01-01T00:00:00.000Z',
        duration_ms: 3000,
      },
    });
  });

  test('the text is the last one of the main agent that is not empty', async () => {
    const { call, chord } = await sent('d1');
    chord.work();
    chord.say('First.', 1);
    chord.say('Last.', 1);
    chord.say('', 1);
    chord.push('assistant_message', { agent_id: 'helper-1', text: 'Not me.', tool_calls: 0 });
    chord.idle();
    expect(finished(await call).text).toBe('Last.');
  });

  test('a background result between two turns belongs to the next one', async () => {
    const harness = await Harness.start('d2');
    harness.chord.turn('before');
    harness.chord.push('background_result', { session_id: 'S1', content: 'Built.' });
    harness.chord.turn('after');
    await settle();
    const turns = harness.told('turn_finished').map(({ turn }) => turn?.background_results);
    expect(turns).toEqual([[], ['Built.']]);
  });

  test('a request is listed with who got it', async () => {
    const { call, chord } = await sent('d1', { decisions: 'leave' });
    chord.work();
    chord.confirmRequest('r1');
    chord.work();
    chord.idle();
    expect(finished(await call).turn?.requests).toEqual([{ id: 'r1', kind: 'confirm', handed_to: '' }]);
  });
});

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
    expect(harness.told('turn_finished')).toHaveLength(1);
    expect(harness.told('turn_finished')[0]).toMatchObject({ outcome: 'completed', text: 'Done.' });
  });

  test('a suppressed idle is no finished task', async () => {
    const harness = await Harness.start('d2');
    harness.chord.idle('', { suppress_user_notification: true });
    await settle();
    expect(harness.told('turn_finished')).toEqual([]);
  });

  test('local commands and a checkpoint are no work', async () => {
    const harness = await Harness.start('d1');
    harness.chord.push('activity', { agent_id: 'main', type: 'compacting', detail: 'context' });
    harness.chord.push('info', { agent_id: '', message: 'Not enough history to compact.' });
    harness.chord.idle('');
    await settle();
    expect(harness.told('turn_finished')).toEqual([]);
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
    expect(harness.told('confirm_request')[0]?.request).toMatchObject({ tool: 'done', report: 'Done.' });
    expect(harness.told('turn_finished', 'done_completion')).toEqual([]);
  });
});

describe('handoffs', () => {
  test('B71: an idle right after a handoff ends no turn (D1); the one after accept does', async () => {
    const { call, chord, harness } = await sent('d1');
    chord.work();
    chord.say('The plan is saved.', 1);
    chord.handoffRequest('h1');
    chord.idle();
    expect(handedOut(await call)).toEqual(['h1']);
    expect(harness.told('turn_finished')).toEqual([]);
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
    expect(harness.told('turn_finished')).toHaveLength(1);
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
    expect(harness.told('turn_finished')).toHaveLength(1);
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
    expect(harness.told('turn_finished')).toEqual([]);
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

describe('background jobs', () => {
  test('are waited for, with all that they bring', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.say('The job runs.');
    chord.runningJobs = 1;
    chord.idle();
    expect(await isWaiting(call)).toBe(true);
    chord.push('background_result', { session_id: 'S1', content: 'Built.' });
    chord.work();
    chord.say('The job is ready.');
    chord.runningJobs = 0;
    chord.idle();
    expect(finished(await call)).toMatchObject({
      text: 'The job is ready.',
      turn: {
        background_results: ['Built.'],
        messages: [{ text: 'The job runs.' }, { text: 'The job is ready.' }],
        running_jobs: 0,
      },
    });
  });

  test('a turn without jobs is over at once', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.turn('No job.');
    expect(finished(await call).text).toBe('No job.');
  });

  test('a job that ends without a turn of its own ends the wait', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.runningJobs = 1;
    chord.say('The job runs.');
    chord.idle();
    chord.runningJobs = 0;
    chord.idle('', { suppress_user_notification: true });
    expect(finished(await call).text).toBe('The job runs.');
  });

  test('a request that a job’s turn brings is handed out too', async () => {
    const { call, chord } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.runningJobs = 1;
    chord.idle();
    chord.work();
    chord.confirmRequest('r1');
    expect(handedOut(await call)).toEqual(['r1']);
  });

  test('the time limit carries the finished turn', async () => {
    const { call, chord, harness } = await sent('d2', { waitFor: 'jobs', timeoutMs: 60_000 });
    chord.work();
    chord.say('The job runs.');
    chord.runningJobs = 1;
    chord.idle();
    await harness.clock.advance(60_000);
    const error = await failure(call);
    expect(error.code).toBe('timeout');
    expect(error.facts.details).toMatchObject({
      written: true,
      turn: { messages: [{ text: 'The job runs.' }] },
    });
  });

  test.each([
    ['d2', 0, 'invalid_settings'],
    ['d1', 60_000, 'not_supported'],
  ] as const)('on %s with a limit of %i ms: %s', async (profile, timeoutMs, code) => {
    const { call, chord } = await sent(profile, { waitFor: 'jobs', timeoutMs });
    expect((await failure(call)).code).toBe(code);
    expect(chord.messages).toEqual([]);
  });
});

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
