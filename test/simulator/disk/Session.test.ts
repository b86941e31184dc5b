import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playground } from '../support/playground';
import type { Played } from '../support/Played';

const ground = playground();

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const key = () => ground.box.work.replaceAll('/', '-').replace(/^/, 'ABS');
const folder = (played: Played) => join(ground.box.state, 'sessions', key(), played.id);

describe('what is kept on disk', () => {
  it('is the project, its sessions and what they used', async () => {
    const played = ground.play('d2');
    played.send('Hello');
    await played.next('idle');
    played.send('Hello');
    await played.next('idle');
    expect(json(join(ground.box.state, 'projects', `${key()}.json`))).toMatchObject({
      canonical_root: ground.box.work,
      sessions_dir: `sessions/${key()}`,
    });
    expect(json(join(folder(played), 'usage-summary.json'))).toMatchObject({
      session_id: played.id,
      first_user_message: 'Hello',
      usage_total: { llm_calls: 2, input_tokens: 2400, output_tokens: 80, total_cost: 0 },
    });
    expect(readdirSync(join(ground.box.state, 'sessions', key())).sort()).toEqual([
      played.id,
      'project.json',
    ]);
    expect(readdirSync(folder(played)).sort()).toEqual(['main.jsonl', 'session.lock', 'usage-summary.json']);
  });

  it('knows no message of an unused session, so that it cannot be resumed', () => {
    const played = ground.play('d2');
    expect(readdirSync(folder(played))).toEqual(['session.lock']);
    played.engine.stop('unused');
    expect(json(join(folder(played), 'usage-summary.json'))).toMatchObject({
      created_at: '0001-01-01T00:00:00Z',
      usage_total: { llm_calls: 0 },
    });
    expect(() => ground.play('d2', played.scenario, { how: 'resume', id: played.id })).toThrow(
      'not found or has no messages',
    );
  });
});
