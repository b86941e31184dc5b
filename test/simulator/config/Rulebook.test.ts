import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('rules that were added for good', () => {
  it('stand in the file of the role', async () => {
    const scenario = scripted({
      Tag: call('shell', { command: 'git tag one' }),
      'tool: ': { text: 'Tagged.' },
    });
    for (const [scope, file] of [
      ['project', join(ground.box.work, '.chord/agents/builder.yaml')],
      ['user_global', join(ground.box.home, '.config/chord/agents/builder.yaml')],
    ] as const) {
      const played = ground.play('d2', scenario);
      played.send('Tag');
      const { payload } = await played.next('confirm_request');
      const rule = { rule_pattern: `git ${scope} *`, rule_scope: scope };
      played.tell({ type: 'confirm', request_id: payload.request_id, action: 'allow', ...rule });
      await played.next('idle');
      expect(readFileSync(file, 'utf8')).toContain(`git ${scope} *`);
      expect(played.recorded('confirm')).toMatchObject([{ rule: { pattern: `git ${scope} *`, scope } }]);
      played.engine.stop('next');
    }
    // The project's file began as a copy of the role and still asks.
    const again = ground.play('d2', scenario);
    again.send('Tag');
    await again.next('confirm_request');
  });
});
