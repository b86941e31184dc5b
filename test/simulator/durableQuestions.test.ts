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
const NAME = { header: 'Name', question: 'Whose cup?' };

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

describe('protocol C', () => {
  const answer = (request_id: string, answers: string[], more: object = {}) => ({
    type: 'question',
    action: 'answer',
    operation_id: `op-${request_id}`,
    request_id,
    answers,
    ...more,
  });

  it('asks with ids, version and policy', async () => {
    const { played, id } = await asked('d3', TEA);
    const [question] = played.payloads('question_request');
    expect(question).toMatchObject({
      request_id: id,
      version: 1,
      response_policy: 'user_required',
      timer: 'disabled',
      option_ids: ['g', 'b'],
      task_id: 'main',
      agent_id: 'main',
    });
    const status = await played.status();
    expect(status.pending_questions).toEqual([question]);
    expect(status.question_binding_id).toBe(question!.binding_id);
    expect(played.types).not.toContain('notification');
  });

  it('closes with the whole question, then gives the receipt', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell(answer(id, ['g']));
    const resolved = await played.next('question_resolved');
    expect(resolved.payload).toMatchObject({
      request_id: id,
      reason: 'answered',
      version: 2,
      selected: ['Green'],
      selected_ids: ['g'],
    });
    const receipt = await played.next('question_receipt');
    expect(receipt.seq).toBeUndefined();
    expect(receipt.payload).toEqual({
      operation_id: `op-${id}`,
      request_id: id,
      accepted: true,
      status: 'answered',
      version: 2,
      error: '',
    });
    await played.next('assistant_message', { text: 'Thank you.' });
  });

  it('tells the second question of a call as an update with an id never seen', async () => {
    const { played, id } = await asked('d3', TEA, NAME);
    played.tell(answer(id, ['g']));
    const { payload } = await played.next('question_updated');
    expect(payload).toMatchObject({ version: 2, header: 'Name', options: null });
    expect(payload.request_id).not.toBe(id);
    played.tell(answer(payload.request_id as string, ['Ada'], { custom: true }));
    await played.next('assistant_message', { text: 'Thank you.' });
  });

  it('ends the questions of a call that were not told yet, when one is declined', async () => {
    const { played, id } = await asked('d3', TEA, NAME);
    played.tell({ type: 'question', action: 'decline', operation_id: 'op', request_id: id });
    await played.next('question_receipt', { accepted: true });
    expect(played.payloads('question_resolved').map(({ reason }) => reason)).toEqual([
      'declined',
      'cancelled',
    ]);
  });

  it.each([
    ['an unknown option', { answers: ['Green'] }, 'unknown option'],
    ['two of a single choice', { answers: ['g', 'b'] }, 'only one'],
    ['no answer', { answers: [] }, 'no answer'],
    ['a blank text', { answers: [' '], custom: true }, 'exactly one text'],
    ['no operation', { answers: ['g'], operation_id: '' }, 'operation_id'],
    ['a version ahead', { answers: ['g'], version: 9 }, 'version'],
    ['an unknown id', { answers: ['g'], request_id: 'feed' }, 'unknown question'],
    ['another action', { action: 'dance' }, 'unsupported'],
  ])('refuses %s, and stays open', async (_name, fields, error) => {
    const { played, id } = await asked('d3', TEA);
    played.tell({ ...answer(id, []), ...fields });
    const { payload } = await played.next('question_receipt');
    expect(payload).toMatchObject({
      accepted: false,
      status: '',
      version: 0,
      error: expect.stringContaining(error) as string,
    });
    expect((await played.status()).pending_questions).toHaveLength(1);
  });

  it('gives a retry the stored receipt, after a restart too; other parameters are refused', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell(answer(id, ['g']));
    const { payload } = await played.next('question_receipt');
    played.tell(answer(id, ['g']));
    expect((await played.next('question_receipt')).payload).toEqual(payload);
    await played.next('idle');
    const again = played.restarted();
    playing.push(again);
    again.tell(answer(id, ['g']));
    expect((await again.next('question_receipt')).payload).toEqual(payload);
    again.tell(answer(id, ['b']));
    expect((await again.next('question_receipt')).payload).toMatchObject({ accepted: false });
  });

  it('refuses a second answer, naming what became of the first', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell(answer(id, ['g']));
    await played.next('question_receipt');
    played.tell(answer(id, ['b'], { operation_id: 'other' }));
    expect((await played.next('question_receipt')).payload).toMatchObject({
      accepted: false,
      error: 'question already answered',
    });
    expect(played.recorded('question')).toHaveLength(1);
  });

  it('survives its process: told again, and an answer wakes the agent', async () => {
    const { played, id } = await asked('d3', TEA);
    const again = played.restarted();
    playing.push(again);
    const { payload } = await again.next('question_updated');
    expect(payload).toMatchObject({ request_id: id, version: 2 });
    expect(payload.binding_id).not.toBe(played.payloads('question_request')[0]!.binding_id);
    again.tell(answer(id, ['b']));
    await again.next('assistant_message', { text: 'Got it at last.' });
  });

  it('stays open through a message; the agent rests until the answer', async () => {
    const { played, id } = await asked('d3', TEA);
    played.send('Hello');
    const waiting = await played.next('activity', { type: 'waiting_input' });
    const idle = await played.next('idle');
    expect(idle.seq).toBe(waiting.seq! + 1);
    expect((await played.status()).pending_questions).toHaveLength(1);
    played.tell(answer(id, ['g']));
    await played.next('assistant_message', { text: 'Got it at last.' });
  });

  it('declined although required, stays unmet until the requirement is withdrawn', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell({ type: 'question', action: 'decline', operation_id: 'op-1', request_id: id });
    await played.next('activity', { type: 'waiting_input' });
    await played.next('idle');
    const withdraw = {
      type: 'question',
      action: 'withdraw_requirement',
      operation_id: 'op-2',
      request_id: id,
    };
    played.tell({ ...withdraw, user_text: 'Never mind the tea' });
    await played.next('assistant_message', { text: 'All right.' });
    await played.next('idle');
    expect(played.payloads('activity').filter(({ type }) => type === 'waiting_input')).toHaveLength(1);
  });

  it('can be revised once it is closed', async () => {
    const { played, id } = await asked('d3', TEA);
    const revise = {
      type: 'question',
      action: 'revise',
      operation_id: 'r-1',
      request_id: id,
      answers: ['b'],
    };
    played.tell(revise);
    expect((await played.next('question_receipt')).payload).toMatchObject({ accepted: false });
    played.tell(answer(id, ['g']));
    await played.next('idle');
    played.tell({ ...revise, operation_id: 'r-2' });
    expect((await played.next('question_updated')).payload).toMatchObject({
      reason: 'answered',
      selected: ['Green'],
      revision_result: { question_id: id, selected: ['Black'], selected_ids: ['b'], outcome: 'answered' },
    });
    await played.next('assistant_message', { text: 'Changed my plan.' });
  });

  it('after a cancel, an answer starts no turn until the next message', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell({ type: 'cancel' });
    await played.next('idle');
    played.tell(answer(id, ['g']));
    await played.next('question_receipt', { accepted: true });
    await played.settle();
    expect(played.payloads('assistant_message')).toHaveLength(1);
    played.send('Hello');
    await played.next('idle');
    expect(played.payloads('input_result').at(-1)!.status).toBe('queued');
  });

  it('runs a clock only once a client has shown it', async () => {
    clocks('question_auto_select_timeout: 60\n');
    const question = { ...TEA, response_policy: 'default_allowed', default_option_id: 'g' };
    const { played, id } = await asked('d3', question);
    const [told] = played.payloads('question_request');
    expect(told).toMatchObject({
      timer: 'awaiting_presentation',
      duration_seconds: 60,
      default_option_id: 'g',
    });
    await played.clock.advance(600_000);
    expect((await played.status()).pending_questions).toHaveLength(1);
    const presented = { type: 'question', action: 'presented', operation_id: 'p', request_id: id };
    played.tell({ ...presented, version: 1, binding_id: told!.binding_id, supports_interaction: true });
    expect((await played.next('question_updated')).payload).toMatchObject({ timer: 'armed' });
    await played.clock.advance(60_000);
    expect((await played.next('question_resolved')).payload).toMatchObject({
      reason: 'defaulted',
      selected: ['Green'],
    });
    played.tell(answer(id, ['b']));
    expect((await played.next('question_receipt', { accepted: false })).payload).toMatchObject({
      status: 'defaulted',
    });
  });

  it('refuses `presented` unless version and binding are exact', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell({
      type: 'question',
      action: 'presented',
      operation_id: 'p',
      request_id: id,
      version: 1,
      binding_id: 'x',
    });
    expect((await played.next('question_receipt')).payload).toMatchObject({
      accepted: false,
      error: 'stale',
    });
  });

  it('is out of sight in another session, and open again in its own', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell({ type: 'cancel' });
    await played.next('idle');
    played.send('/new');
    await played.next('session_switched');
    expect((await played.status()).pending_questions).toEqual([]);
    played.send(`/resume ${played.id}`);
    await played.next('session_switched');
    expect((await played.next('question_updated')).payload.request_id).toBe(id);
  });

  it('cancel_task closes what is open and ends the turn', async () => {
    const { played, id } = await asked('d3', TEA);
    played.tell({ type: 'question', action: 'cancel_task', operation_id: 'c', user_text: 'Stop.' });
    expect((await played.next('question_resolved')).payload).toMatchObject({
      request_id: id,
      reason: 'cancelled',
    });
    expect((await played.next('question_receipt')).payload).toMatchObject({
      accepted: true,
      status: '',
      version: 0,
    });
    await played.next('idle');
  });

  it('understands the slash commands about questions', async () => {
    const { played, id } = await asked('d3', TEA);
    const input = played.send(`/question withdraw ${id}`);
    expect((await played.next('input_result', { request_id: input })).payload.status).toBe('handled');
    const wrong = played.send('/question withdraw feed');
    expect((await played.next('input_result', { request_id: wrong })).payload.status).toBe('rejected');
    await played.next('toast');
  });
});

describe('a status with questions', () => {
  it.each([
    [{ question_ids: Array.from({ length: 33 }, (_, at) => `q${at}`) }, 'at most 32'],
    [{ questions_after_id: 'q' }, 'requires binding_id'],
    [{ binding_id: 'other' }, 'does not match'],
  ])('%j is answered by an error', async (fields, message) => {
    const played = play('d3', asking(TEA));
    played.tell({ type: 'status', ...fields });
    expect((await played.next('error')).payload.message).toContain(message);
  });

  it('shows history in pages', async () => {
    const played = play('d3', asking({ ...TEA, response_policy: 'optional' }));
    for (let at = 0; at < 18; at += 1) {
      played.send('Ask');
      const { payload } = await played.next('question_request');
      const fields = { operation_id: `op-${at}`, request_id: payload.request_id, answers: ['g'] };
      played.tell({ type: 'question', action: 'answer', ...fields });
      await played.next('idle');
    }
    const first = await played.status();
    expect(first.questions).toHaveLength(16);
    const next = first.questions_next_after_id as string;
    const second = await played.status({ questions_after_id: next, binding_id: first.question_binding_id });
    expect(second).toMatchObject({ questions_next_after_id: '' });
    expect(second.questions).toHaveLength(2);
    const ids = [
      ...(first.questions as { request_id: string }[]),
      ...(second.questions as { request_id: string }[]),
    ];
    expect(new Set(ids.map((question) => question.request_id)).size).toBe(18);
  });
});
