import { answer, asked, NAME, TEA } from '../../support/asking';
import { playground } from '../../support/playground';

const ground = playground();

describe('durable questions', () => {
  it('asks with ids, version and policy', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
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
    const { played, id } = await asked(ground, 'd3', TEA);
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
    const { played, id } = await asked(ground, 'd3', TEA, NAME);
    played.tell(answer(id, ['g']));
    const { payload } = await played.next('question_updated');
    expect(payload).toMatchObject({ version: 2, header: 'Name', options: null });
    expect(payload.request_id).not.toBe(id);
    played.tell(answer(payload.request_id as string, ['Ada'], { custom: true }));
    await played.next('assistant_message', { text: 'Thank you.' });
  });

  it('ends the questions of a call that were not told yet, when one is declined', async () => {
    const { played, id } = await asked(ground, 'd3', TEA, NAME);
    played.tell({ type: 'question', action: 'decline', operation_id: 'op', request_id: id });
    await played.next('question_receipt', { accepted: true });
    expect(played.payloads('question_resolved').map(({ reason }) => reason)).toEqual([
      'declined',
      'cancelled',
    ]);
  });

  it('survives its process: told again, and an answer wakes the agent', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
    const again = ground.restart(played);
    const { payload } = await again.next('question_updated');
    expect(payload).toMatchObject({ request_id: id, version: 2 });
    expect(payload.binding_id).not.toBe(played.payloads('question_request')[0]!.binding_id);
    again.tell(answer(id, ['b']));
    await again.next('assistant_message', { text: 'Got it at last.' });
  });

  it('stays open through a message; the agent rests until the answer', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
    played.send('Hello');
    const waiting = await played.next('activity', { type: 'waiting_input' });
    const idle = await played.next('idle');
    expect(idle.seq).toBe(waiting.seq! + 1);
    expect((await played.status()).pending_questions).toHaveLength(1);
    played.tell(answer(id, ['g']));
    await played.next('assistant_message', { text: 'Got it at last.' });
  });

  it('after a cancel, an answer starts no turn until the next message', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
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

  it('is out of sight in another session, and open again in its own', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
    played.tell({ type: 'cancel' });
    await played.next('idle');
    played.send('/new');
    await played.next('session_switched');
    expect((await played.status()).pending_questions).toEqual([]);
    played.send(`/resume ${played.id}`);
    await played.next('session_switched');
    expect((await played.next('question_updated')).payload.request_id).toBe(id);
  });
});
