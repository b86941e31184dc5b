import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('a background job', () => {
  it('is counted until its note was read, and tells its result', async () => {
    const scenario = scripted({
      Start: call('spawn', { command: 'read -r _ < go', description: 'slow', timeout: 30 }),
      'tool: status: running': { text: 'Started.' },
      '[Job job-1 result]': { text: 'It is over.' },
    });
    execFileSync('mkfifo', [join(ground.box.work, 'go')]);
    const played = ground.play('d2', scenario);
    played.send('Start');
    expect((await played.next('idle')).payload.running_jobs).toBe(1);
    writeFileSync(join(ground.box.work, 'go'), '\n');
    const { payload } = await played.next('background_result');
    expect(payload).toMatchObject({ session_id: played.id, target_agent_id: 'main' });
    expect(payload.content).toContain('Status: finished (exit 0)');
    expect((await played.next('idle')).payload.running_jobs).toBe(0);
    expect(played.types).not.toContain('toast');
  });
});
