import type { ProfileName } from '../../../simulator/wire/profile';
import { ALL, NUMBERED, PLANNING, playground } from '../support/playground';

const ground = playground();

describe('an open handoff', () => {
  it.each(ALL)('%s: holds `idle` back only where pushes are numbered', async (profile) => {
    const played = ground.play(profile, PLANNING);
    played.send('Plan');
    const { payload } = await played.next('handoff_request');
    await played.settle();
    expect(played.types.includes('idle')).toBe(!NUMBERED.includes(profile));
    played.tell({ type: 'handoff', request_id: payload.request_id, action: 'cancel' });
    await played.settle();
    expect(played.types.filter((type) => type === 'idle')).toHaveLength(1);
    expect(played.recorded('handoff')).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it.each(['d1-roles', 'd2'] as ProfileName[])(
    '%s: is cancelled by a message, and says so',
    async (profile) => {
      const played = ground.play(profile, PLANNING);
      played.send('Plan');
      const { payload } = await played.next('handoff_request');
      await played.settle();
      played.send('Hello');
      const cancelled = await played.next('handoff_cancelled');
      expect(cancelled.payload).toEqual({ request_id: payload.request_id, reason: 'superseded' });
      await played.next('idle');
      expect(played.payloads('handoff_cancelled')).toHaveLength(profile === 'd2' ? 2 : 1);
    },
  );
});
