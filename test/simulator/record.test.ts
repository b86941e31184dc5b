import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './support/Child';
import { playground } from './support/playground';

const ground = playground();

describe('the record', () => {
  it('is written where CHORD_SIMULATOR_RECORD says', async () => {
    const file = join(ground.box.root, 'record.jsonl');
    const child = new Child(ground.box, [], { CHORD_SIMULATOR_RECORD: file });
    await child.next('ready');
    child.send({ type: 'send', content: 'Look around.' });
    const { payload } = await child.next('confirm_request');
    child.send({ type: 'confirm', request_id: payload.request_id, action: 'allow' });
    await child.next('idle');
    await child.end();
    const entries = readFileSync(file, 'utf8').trim().split('\n');
    const kinds = entries.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['session', 'stdin', 'input', 'stdin', 'confirm', 'tool', 'end']);
    expect(JSON.parse(entries[4]!)).toMatchObject({
      request_id: payload.request_id,
      outcome: 'allowed',
      tool: 'shell',
    });
  });
});
