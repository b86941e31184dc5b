import type { Scenario } from '../../../simulator/scenario/scenario';
import { scripted } from '../support/Played';
import { ALL, COMMITTING, NUMBERED, playground } from '../support/playground';

const ground = playground();

describe('retries', () => {
  const scenario: Scenario = {
    name: 'retry',
    steps: [
      { reply: { status: 500, error: { message: 'kettle exploded' } } },
      { times: 'any', reply: { text: 'Better.' } },
    ],
  };

  it.each(ALL)('%s', async (profile) => {
    const played = ground.play(profile, scenario);
    played.send('Hello');
    await played.settle();
    await played.clock.advance(200);
    const silent = NUMBERED.includes(profile);
    expect((await played.next('idle')).payload.last_outcome).toBe(silent ? 'completed' : 'error');
    expect(played.types.includes('error')).toBe(!silent);
    expect(played.payloads('activity').map(({ type }) => type)).toContain('retrying');
  });

  it('a real failure has an error everywhere', async () => {
    const played = ground.play('d2', scripted({}));
    played.send('Hello');
    expect((await played.next('error')).payload).toHaveProperty('agent_id');
    expect((await played.next('idle')).payload.last_outcome).toBe('error');
  });
});

describe('notification', () => {
  it('follows a request where the build has it', async () => {
    const played = ground.play('d2', COMMITTING);
    played.send('Commit');
    await played.next('confirm_request');
    expect((await played.next('notification')).payload.reason).toBe('user_input_required');
    const earlier = ground.play('d1-roles', COMMITTING);
    earlier.send('Commit');
    await earlier.next('confirm_request');
    await earlier.settle();
    expect(earlier.types).not.toContain('notification');
  });
});
