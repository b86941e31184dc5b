import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../simulator/scenario/scenario';
import type { ProfileName } from '../../simulator/wire/profile';
import { sandbox, type Sandbox } from './support/lab';
import { call, Played, scripted } from './support/played';

let box: Sandbox;
const playing: Played[] = [];

beforeEach(() => {
  box = sandbox();
});

afterEach(() => {
  for (const played of playing.splice(0)) played.engine.stop('end of test');
  box.remove();
});

const TEA = {
  header: 'Tea',
  question: 'Which tea?',
  options: [
    { id: 'g', label: 'Green', description: 'mild' },
    { id: 'b', label: 'Black', description: 'strong' },
  ],
};

const asking = (...questions: object[]): Scenario =>
  scripted({
    Ask: call('question', { questions }),
    'tool: "selected"': { text: 'Thank you.' },
    'tool: Error: question': { text: 'Then not.' },
    'tool: stay open': { text: 'Later.' },
    '[Question result]': { text: 'Got it at last.' },
    '[Question revision]': { text: 'Changed my plan.' },
    Hello: { text: 'Hello.' },
    'Never mind': { text: 'All right.' },
  });

function play(profile: ProfileName, scenario: Scenario): Played {
  const played = new Played(box, profile, scenario);
  playing.push(played);
  return played;
}

async function asked(profile: ProfileName, ...questions: object[]): Promise<{ played: Played; id: string }> {
  const played = play(profile, asking(...questions));
  played.send('Ask');
  const { payload } = await played.next('question_request');
  return { played, id: payload.request_id as string };
}

const clocks = (yaml: string) => appendFileSync(join(box.home, '.config/chord/config.yaml'), yaml);

describe('protocol B', () => {
  it('asks without the fields of A and C', async () => {
    const { played } = await asked('d2', TEA);
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
    const { played, id } = await asked('d2', TEA);
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
    const played = play('d2', script);
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
    const { played } = await asked('d2', TEA);
    played.tell({ type: 'question', request_id: 'feed', ...fields });
    expect((await played.next('error')).payload.message).toContain(message);
    expect((await played.status()).pending_question).not.toBeNull();
  });

  it('is closed by a message', async () => {
    const { played, id } = await asked('d2', TEA);
    played.send('Hello');
    expect((await played.next('question_resolved')).payload).toEqual({
      request_id: id,
      reason: 'superseded',
    });
  });

  it('has a deadline where the configuration sets one, and ends with it', async () => {
    clocks('question_timeout: 60\n');
    const { played, id } = await asked('d2', TEA);
    expect(played.payloads('question_request')[0]!.deadline).toBe('2030-01-01T00:01:00.000Z');
    await played.clock.advance(60_000);
    expect((await played.next('question_resolved')).payload).toEqual({
      request_id: id,
      reason: 'no_response',
    });
  });
});
