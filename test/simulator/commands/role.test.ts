import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playground } from '../support/playground';

const ground = playground();

describe('roles', () => {
  it('are unknown to d1', async () => {
    const played = ground.play('d1');
    played.tell({ type: 'role', action: 'list' });
    expect((await played.next('error')).payload.message).toBe('unknown command type: role');
  });

  it('are listed, builder and planner first', async () => {
    const agent = 'name: auditor\nmode: main\npermission:\n  "*": allow\n';
    writeFileSync(join(ground.box.home, '.config/chord/agents/auditor.yaml'), agent);
    const played = ground.play('d1-roles');
    played.tell({ type: 'role', action: 'list' });
    const { payload } = await played.next('role_response');
    expect(payload.roles).toEqual([
      { name: 'builder', current: true },
      { name: 'planner', current: false },
      { name: 'auditor', current: false },
    ]);
  });

  it('are set at once, and the context stays', async () => {
    const played = ground.play('d2');
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
    const played = ground.play('d2');
    played.tell({ type: 'role', ...command });
    const { payload } = await played.next('role_response');
    expect(payload).toMatchObject({ ok: false, message: expect.stringContaining(message) as unknown });
  });

  it('are remembered by the session', async () => {
    const played = ground.play('d2');
    played.send('Hello');
    await played.next('idle');
    played.tell({ type: 'role', action: 'set', role: 'planner' });
    await played.next('role_change');
    const again = ground.restart(played);
    expect((await again.status()).current_role).toBe('planner');
  });
});
