import { asked, TEA } from '../../support/asking';
import { playground } from '../../support/playground';

const ground = playground();

describe('slash commands about durable questions', () => {
  it('are handled, or refused with a reason', async () => {
    const { played, id } = await asked(ground, 'd3', TEA);
    const input = played.send(`/question withdraw ${id}`);
    expect((await played.next('input_result', { request_id: input })).payload.status).toBe('handled');
    const wrong = played.send('/question withdraw feed');
    expect((await played.next('input_result', { request_id: wrong })).payload.status).toBe('rejected');
    await played.next('toast');
  });
});
