import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './support/child';
import { sandbox, type Sandbox } from './support/lab';
import { call, Played, scripted } from './support/played';

let box: Sandbox;
const playing: Played[] = [];

beforeEach(() => {
  box = sandbox();
});

afterEach(() => {
  for (const played of playing.splice(0)) played.engine.stop('end of test');
  box.remove();
});

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const key = () => box.work.replaceAll('/', '-').replace(/^/, 'ABS');
const folder = (played: Played) => join(box.state, 'sessions', key(), played.id);

function play(scenario = scripted({ Hello: { text: 'Hello.' } })): Played {
  const played = new Played(box, 'd2', scenario);
  playing.push(played);
  return played;
}

describe('what is kept on disk', () => {
  it('is the project, its sessions and what they used', async () => {
    const played = play();
    played.send('Hello');
    await played.next('idle');
    played.send('Hello');
    await played.next('idle');
    expect(json(join(box.state, 'projects', `${key()}.json`))).toMatchObject({
      canonical_root: box.work,
      sessions_dir: `sessions/${key()}`,
    });
    expect(json(join(folder(played), 'usage-summary.json'))).toMatchObject({
      session_id: played.id,
      first_user_message: 'Hello',
      usage_total: { llm_calls: 2, input_tokens: 2400, output_tokens: 80, total_cost: 0 },
    });
    expect(readdirSync(join(box.state, 'sessions', key())).sort()).toEqual([played.id, 'project.json']);
    expect(readdirSync(folder(played)).sort()).toEqual(['main.jsonl', 'session.lock', 'usage-summary.json']);
  });

  it('knows no message of an unused session, so that it cannot be resumed', () => {
    const played = play();
    expect(readdirSync(folder(played))).toEqual(['session.lock']);
    played.engine.stop('unused');
    expect(json(join(folder(played), 'usage-summary.json'))).toMatchObject({
      created_at: '0001-01-01T00:00:00Z',
      usage_total: { llm_calls: 0 },
    });
    expect(() => new Played(box, 'd2', played.scenario, { how: 'resume', id: played.id })).toThrow(
      'not found or has no messages',
    );
  });

  it('follows CHORD_STATE_DIR and CHORD_SESSIONS_DIR', async () => {
    const env = { CHORD_STATE_DIR: join(box.root, 'state'), CHORD_SESSIONS_DIR: join(box.root, 'kept') };
    const child = new Child(box, [], env);
    const { payload } = await child.next('ready');
    expect(existsSync(join(box.root, 'state', 'projects', `${key()}.json`))).toBe(true);
    expect(existsSync(join(box.root, 'kept', key(), payload.session_id as string))).toBe(true);
    await child.end();
  });

  it('holds the rules that were added for good', async () => {
    const scenario = scripted({
      Tag: call('shell', { command: 'git tag one' }),
      'tool: ': { text: 'Tagged.' },
    });
    for (const [scope, file] of [
      ['project', join(box.work, '.chord/agents/builder.yaml')],
      ['user_global', join(box.home, '.config/chord/agents/builder.yaml')],
    ] as const) {
      const played = play(scenario);
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
    const again = play(scenario);
    again.send('Tag');
    await again.next('confirm_request');
  });
});

describe('the record', () => {
  it('is written where CHORD_SIMULATOR_RECORD says', async () => {
    const file = join(box.root, 'record.jsonl');
    const child = new Child(box, [], { CHORD_SIMULATOR_RECORD: file });
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
