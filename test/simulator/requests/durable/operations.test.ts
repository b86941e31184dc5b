import { answer, asked, TEA } from '../../support/asking';
import { playground } from '../../support/playground';

const ground = playground();

describe('an operation on a durable question', () => {
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
    const { played, id } = await asked(ground, 'd3', TEA);
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
    const { played, id } = await asked(ground, 'd3', TEA);
    played.tell(answer(id, ['g']));
    const { payload } = await played.next('question_receipt');
    played.tell(answer(id, ['g']));
    expect((await played.next('question_receipt')).payload).toEqual(payload);
    await played.next('idle');
    const again = ground.restart(played);
    again.tell(answer(id, ['g']));
    expect((await again.next('question_receipt')).payload).toEqual(payload);
    again.tell(answer(id, ['b']));
    expect((await again.next('question_receipt')).payload).toMatchObject({ accepted: false });
  });

  it('refuses a second answer, naming what became of the first', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
    played.tell(answer(id, ['g']));
    await played.next('question_receipt');
    played.tell(answer(id, ['b'], { operation_id: 'other' }));
    expect((await played.next('question_receipt')).payload).toMatchObject({
      accepted: false,
      error: 'question already answered',
    });
    expect(played.recorded('question')).toHaveLength(1);
  });

  it('declined although required, stays unmet until the requirement is withdrawn', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
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
    const { played, id } = await asked(ground, 'd3', TEA);
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

  it('refuses `presented` unless version and binding are exact', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
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

  it('cancel_task closes what is open and ends the turn', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
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
});
