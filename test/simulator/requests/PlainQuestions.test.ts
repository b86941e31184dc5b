import { asked, TEA } from '../support/asking';
import { call, scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('protocol B', () => {
  it('asks without the fields of A and C', async () => {
    const { played } = await asked(ground, 'd2', TEA);
    expect(played.payloads('question_request')).toEqual([
      {
        tool_name: 'question',
        header: 'Tea',
        question: 'Which tea?',
        options: ['Green', 'Black'],
        option_details: ['mild', 'strong'],
        multiple: false,
        request_id: expect.any(String) as string,
        agent_id: 'main',
      },
    ]);
    expect((await played.status()).pending_question).toMatchObject({ header: 'Tea' });
  });

  it.each([
    ['answered', ['Green'], 'Thank you.'],
    ['declined', [], 'Then not.'],
  ])('%s: tells how it was closed', async (reason, answers, text) => {
    const { played, id } = await asked(ground, 'd2', TEA);
    played.tell({ type: 'question', request_id: id, answers, reason, cancelled: false });
    expect((await played.next('question_resolved')).payload).toEqual({ request_id: id, reason });
    await played.next('assistant_message', { text });
    expect(played.recorded('question')).toMatchObject([{ outcome: reason, answers }]);
  });

  it('the agent is told the answer in JSON as Go writes it', async () => {
    const script = scripted({
      Ask: call('question', { questions: [TEA] }),
      'tool: \\u003cb\\u003e \\u0026': { text: 'So it was told.' },
      'tool: "selected"': { text: 'Otherwise.' },
    });
    const played = ground.play('d2', script);
    played.send('Ask');
    const { payload } = await played.next('question_request');
    const answer = { request_id: payload.request_id, answers: ['<b> &'], reason: 'answered' };
    played.tell({ type: 'question', ...answer });
    await played.next('assistant_message', { text: 'So it was told.' });
  });

  it.each([
    [{ reason: 'answered', answers: ['Green'] }, 'no matching'],
    [{ answers: ['Green'] }, 'must be answered or declined'],
  ])('refuses %j', async (fields, message) => {
    const { played } = await asked(ground, 'd2', TEA);
    played.tell({ type: 'question', request_id: 'feed', ...fields });
    expect((await played.next('error')).payload.message).toContain(message);
    expect((await played.status()).pending_question).not.toBeNull();
  });

  it('is closed by a message', async () => {
    const { played, id } = await asked(ground, 'd2', TEA);
    played.send('Hello');
    expect((await played.next('question_resolved')).payload).toEqual({
      request_id: id,
      reason: 'superseded',
    });
  });

  it('has a deadline where the configuration sets one, and ends with it', async () => {
    ground.configure('question_timeout: 60\n');
    const { played, id } = await asked(ground, 'd2', TEA);
    expect(played.payloads('question_request')[0]!.deadline).toBe('2030-01-01T00:01:00.000Z');
    await played.clock.advance(60_000);
    expect((await played.next('question_resolved')).payload).toEqual({
      request_id: id,
      reason: 'no_response',
    });
  });
});
