import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { playground } from '../support/playground';
import { Child } from '../support/Child';

const ground = playground();

const key = () => ground.box.work.replaceAll('/', '-').replace(/^/, 'ABS');

describe('where things are kept', () => {
  it('follows CHORD_STATE_DIR and CHORD_SESSIONS_DIR', async () => {
    const env = {
      CHORD_STATE_DIR: join(ground.box.root, 'state'),
      CHORD_SESSIONS_DIR: join(ground.box.root, 'kept'),
    };
    const child = new Child(ground.box, [], env);
    const { payload } = await child.next('ready');
    expect(existsSync(join(ground.box.root, 'state', 'projects', `${key()}.json`))).toBe(true);
    expect(existsSync(join(ground.box.root, 'kept', key(), payload.session_id as string))).toBe(true);
    await child.end();
  });
});
