import { ALL, NUMBERED, playground } from '../support/playground';

const ground = playground();

describe('idle', () => {
  it.each(ALL)('%s: counts jobs only where the build does', async (profile) => {
    const played = ground.play(profile);
    played.send('Hello');
    const { payload } = await played.next('idle');
    const base = { last_outcome: 'completed', suppress_user_notification: false };
    expect(payload).toEqual(NUMBERED.includes(profile) ? { ...base, running_jobs: 0 } : base);
  });

  it('is marked when no agent ran since the last one', async () => {
    const played = ground.play('d2');
    played.send('/new');
    expect((await played.next('idle')).payload.suppress_user_notification).toBe(true);
    played.send('Hello');
    expect((await played.next('idle')).payload.suppress_user_notification).toBe(false);
  });
});
