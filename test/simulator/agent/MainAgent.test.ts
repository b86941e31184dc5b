import { ALL, NUMBERED, PLANNING, playground } from '../support/playground';

const ground = playground();

describe('the session of the main agent', () => {
  it.each(ALL)('%s: is a new one after an accepted handoff', async (profile) => {
    const played = ground.play(profile, PLANNING);
    played.send('Plan');
    const { payload } = await played.next('handoff_request');
    await played.settle();
    played.tell({ type: 'handoff', request_id: payload.request_id, action: 'accept' });
    await played.next('assistant_message', { text: 'Planned.' });
    const status = await played.status();
    if (NUMBERED.includes(profile)) {
      const [switched] = played.payloads('session_switched');
      expect(status).toMatchObject({ session_id: switched!.session_id, current_role: 'planner' });
      expect(switched!.session_id).not.toBe(played.id);
      expect(played.payloads('role_change')).toEqual([{ role: 'planner' }]);
    } else {
      expect(played.types).not.toContain('session_switched');
      expect(status.session_id).toBe(played.id);
    }
  });

  it('is switched in place by a command, and says so', async () => {
    const played = ground.play('d2');
    played.send('Hello');
    await played.next('idle');
    played.send('/new');
    const { payload } = await played.next('session_switched');
    expect((await played.status()).session_id).toBe(payload.session_id);
    played.send(`/resume ${played.id}`);
    expect((await played.next('session_switched')).payload.session_id).toBe(played.id);
    expect(played.payloads('toast').at(-1)!.message).toBe(
      `Resumed session from ${played.id}: 2 messages restored`,
    );
  });
});
