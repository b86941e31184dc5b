import { settle } from '../../support/promises';
import { finished, Harness } from '../../support/Harness';
import { sent } from '../support/turns';

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
    const turns = harness.published('turn_finished').map(({ turn }) => turn?.background_results);
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
