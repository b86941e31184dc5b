import type { ProfileName } from '../../../simulator/wire/profile';
import { call, scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('done', () => {
  const scenario = scripted({
    Finish: call('done', { report: 'All done.' }),
    'tool: unknown tool': { text: 'No such tool.' },
  });

  it('ends a turn in d1', async () => {
    const played = ground.play('d1', scenario);
    played.send('Finish');
    expect((await played.next('done_completion')).payload.report).toBe('All done.');
    await played.next('idle');
  });

  it.each(['d1-roles', 'd2', 'd3'] as ProfileName[])(
    'exists in %s only while a loop runs',
    async (profile) => {
      const played = ground.play(profile, scenario);
      played.send('Finish');
      expect((await played.next('assistant_message', { text: 'No such tool.' })).payload.tool_calls).toBe(0);
      await played.next('idle');
      played.send('/loop on Finish');
      const { payload } = await played.next('confirm_request', { tool_name: 'done' });
      played.tell({ type: 'confirm', request_id: payload.request_id, action: 'allow' });
      await played.next('done_completion');
      await played.next('idle');
    },
  );
});
