import { demonstration } from '../../../simulator/scenario/demonstration';
import type { Played } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();
let played: Played;

beforeEach(() => {
  played = ground.play('d2', demonstration);
});

describe('the built-in scenario', () => {
  it('asks for an approval and reports, with any message and many times', async () => {
    for (const message of ['Fix the login bug', 'Écris-moi un poème', 'Again, please']) {
      played.send(message);
      const { payload } = await played.next('confirm_request', { tool_name: 'shell' });
      played.tell({ type: 'confirm', request_id: payload.request_id, action: 'allow' });
      const said = await played.next('assistant_message', { tool_calls: 0 });
      expect(said.payload.text).toContain('finished');
      await played.next('idle');
    }
    expect(played.recorded('tool')).toHaveLength(3);
  });

  it('takes no for an answer', async () => {
    played.send('Fix the login bug');
    const { payload } = await played.next('confirm_request');
    played.tell({ type: 'confirm', request_id: payload.request_id, action: 'deny' });
    const said = await played.next('assistant_message', { tool_calls: 0 });
    expect(said.payload.text).toContain('Nothing was changed');
    expect(played.recorded('tool')).toMatchObject([{ status: 'refused' }]);
  });

  it('asks a question when the message speaks of one', async () => {
    played.send('I have a question');
    const { payload } = await played.next('question_request');
    played.tell({
      type: 'question',
      request_id: payload.request_id,
      answers: ['Quickly'],
      reason: 'answered',
    });
    await played.next('assistant_message', { tool_calls: 0 });
    await played.next('idle');
  });

  it('hands a plan off when the message speaks of one, again and again', async () => {
    for (const round of [1, 2]) {
      played.send(`Make plan number ${round}`);
      const { payload } = await played.next('handoff_request');
      played.tell({ type: 'handoff', request_id: payload.request_id, action: 'accept' });
      await played.next('assistant_message', { tool_calls: 0 });
      await played.next('idle');
    }
    expect(played.recorded('handoff')).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }]);
  });
});
