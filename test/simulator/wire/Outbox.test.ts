import type { ProfileName } from '../../../simulator/wire/profile';
import { seqs } from '../support/Played';
import { NUMBERED, playground } from '../support/playground';

const ground = playground();

describe('seq', () => {
  it.each(NUMBERED)(
    '%s: a status before any push says 1, pushes rise from 2, replies have none',
    async (profile) => {
      const played = ground.play(profile);
      await played.status();
      played.send('Hello');
      await played.next('idle');
      await played.status();
      played.tell({ type: 'models' });
      played.tell({ type: 'nonsense' });
      await played.next('error');
      const [ready, first, ...rest] = played.lines;
      expect([ready!.seq, first!.seq]).toEqual([undefined, 1]);
      const status = rest.findIndex((line) => line.type === 'status_response');
      const pushes = seqs(rest.slice(0, status));
      expect(pushes[0]).toBe(2);
      expect(pushes).toEqual([...pushes].sort((a, b) => a - b));
      expect(rest[status]!.seq).toBe(pushes.at(-1));
      expect(seqs(rest.slice(status + 1))).toEqual([]);
    },
  );

  it('rises for an event that nobody subscribed to', async () => {
    const played = ground.play('d2');
    played.tell({ type: 'subscribe', events: ['idle'] });
    played.send('Hello');
    const idle = await played.next('idle');
    expect(played.types).toEqual(['ready', 'subscribe_response', 'idle']);
    expect(idle.seq).toBeGreaterThan(2);
  });

  it.each(['d1', 'd1-roles'] as ProfileName[])('%s: nothing has one', async (profile) => {
    const played = ground.play(profile);
    await played.status();
    played.send('Hello');
    await played.next('idle');
    expect(seqs(played.lines)).toEqual([]);
  });
});
