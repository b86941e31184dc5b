import { answer, asked, TEA } from '../../support/asking';
import { playground } from '../../support/playground';

const ground = playground();

describe('the clock of a durable question', () => {
  it('runs only once a client has shown it', async () => {
    ground.configure('question_auto_select_timeout: 60\n');
    const question = { ...TEA, response_policy: 'default_allowed', default_option_id: 'g' };
    const { played, id } = await asked(ground, 'd3', question);
    const [published] = played.payloads('question_request');
    expect(published).toMatchObject({
      timer: 'awaiting_presentation',
      duration_seconds: 60,
      default_option_id: 'g',
    });
    await played.clock.advance(600_000);
    expect((await played.status()).pending_questions).toHaveLength(1);
    const presented = { type: 'question', action: 'presented', operation_id: 'p', request_id: id };
    played.tell({ ...presented, version: 1, binding_id: published!.binding_id, supports_interaction: true });
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
});
