import { asking, TEA } from '../../support/asking';
import { playground } from '../../support/playground';

const ground = playground();

describe('a status with questions', () => {
  it.each([
    [{ question_ids: Array.from({ length: 33 }, (_, at) => `q${at}`) }, 'at most 32'],
    [{ questions_after_id: 'q' }, 'requires binding_id'],
    [{ binding_id: 'other' }, 'does not match'],
  ])('%j is answered by an error', async (fields, message) => {
    const played = ground.play('d3', asking(TEA));
    played.tell({ type: 'status', ...fields });
    expect((await played.next('error')).payload.message).toContain(message);
  });

  it('shows history in pages', async () => {
    const played = ground.play('d3', asking({ ...TEA, response_policy: 'optional' }));
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
