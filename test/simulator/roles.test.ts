import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../simulator/scenario/scenario';
import type { ProfileName } from '../../simulator/wire/profile';
import { sandbox, type Sandbox } from './support/lab';
import { Played, scripted } from './support/played';

let box: Sandbox;
const playing: Played[] = [];

beforeEach(() => {
  box = sandbox();
});

afterEach(() => {
  for (const played of playing.splice(0)) played.engine.stop('end of test');
  box.remove();
});

function play(profile: ProfileName, scenario: Scenario = scripted({ Hello: { text: 'Hello.' } })): Played {
  const played = new Played(box, profile, scenario);
  playing.push(played);
  return played;
}

describe('roles', () => {
  it('are unknown to d1', async () => {
    const played = play('d1');
    played.tell({ type: 'role', action: 'list' });
    expect((await played.next('error')).payload.message).toBe('unknown command type: role');
  });

  it('are listed, builder and planner first', async () => {
    const agent = 'name: auditor\nmode: main\npermission:\n  "*": allow\n';
    writeFileSync(join(box.home, '.config/chord/agents/auditor.yaml'), agent);
    const played = play('d1-roles');
    played.tell({ type: 'role', action: 'list' });
    const { payload } = await played.next('role_response');
    expect(payload.roles).toEqual([
      { name: 'builder', current: true },
      { name: 'planner', current: false },
      { name: 'auditor', current: false },
    ]);
  });

  it('are set at once, and the context stays', async () => {
    const played = play('d2');
    played.tell({ type: 'role', action: 'set', role: 'planner' });
    expect((await played.next('role_response')).payload).toMatchObject({ ok: true, role: 'planner' });
    expect((await played.next('role_change')).payload).toEqual({ role: 'planner' });
    expect((await played.status()).current_role).toBe('planner');
  });

  it.each([
    [{ action: 'set', role: 'builder' }, 'already active'],
    [{ action: 'set', role: 'helper' }, 'unknown role'],
    [{ action: 'set', role: 'nobody' }, 'unknown role'],
    [{ action: '' }, 'unsupported role action'],
  ])('%j is refused', async (command, message) => {
    const played = play('d2');
    played.tell({ type: 'role', ...command });
    const { payload } = await played.next('role_response');
    expect(payload).toMatchObject({ ok: false, message: expect.stringContaining(message) as unknown });
  });

  it('are remembered by the session', async () => {
    const played = play('d2');
    played.send('Hello');
    await played.next('idle');
    played.tell({ type: 'role', action: 'set', role: 'planner' });
    await played.next('role_change');
    const again = played.restarted();
    playing.push(again);
    expect((await again.status()).current_role).toBe('planner');
  });

  it.each(['/role', '/help', '/stats'])('%s is a command of later builds only', async (text) => {
    const later = play('d1-roles');
    later.send(text);
    await later.next('info');
    const earlier = play('d1', scripted({ [text]: { text: 'The model saw it.' } }));
    earlier.send(text);
    expect((await earlier.next('assistant_message')).payload.text).toBe('The model saw it.');
  });
});
