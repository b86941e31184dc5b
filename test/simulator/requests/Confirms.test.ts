import { call, scripted } from '../support/Played';
import { ALL, COMMITTING, playground } from '../support/playground';

const ground = playground();

describe('a confirm request', () => {
  it.each(ALL)('%s: names the agent only from roles on', async (profile) => {
    const played = ground.play(profile, COMMITTING);
    played.send('Commit');
    const { payload } = await played.next('confirm_request');
    expect(payload.agent_id).toBe(profile === 'd1' ? undefined : 'main');
  });

  it.each([
    ['allow', 'approved'],
    ['deny', 'denied'],
  ])('d3 tells that a confirm was closed: %s', async (action, reason) => {
    const played = ground.play('d3', COMMITTING);
    played.send('Commit');
    const { payload } = await played.next('confirm_request');
    played.tell({ type: 'confirm', request_id: payload.request_id, action });
    expect((await played.next('confirm_resolved')).payload).toEqual({
      request_id: payload.request_id,
      reason,
    });
  });

  it('d3 tells a confirm that a cancel closed', async () => {
    const played = ground.play('d3', COMMITTING);
    played.send('Commit');
    await played.next('confirm_request');
    played.tell({ type: 'cancel' });
    expect((await played.next('confirm_resolved')).payload.reason).toBe('cancelled');
    expect((await played.next('idle')).payload.last_outcome).toBe('cancelled');
  });

  it('K12: a time limit denies in silence, and a late answer has no effect', async () => {
    ground.configure('confirm_timeout: 30\n');
    const scenario = scripted({
      Commit: call('shell', { command: 'git commit --allow-empty -m x' }),
      'tool: rejected by user': { text: 'Slow.', chunk_chars: 1, chunk_delay_ms: 1000 },
    });
    const played = ground.play('d2', scenario);
    played.send('Commit');
    const { payload } = await played.next('confirm_request');
    expect(payload.timeout_ms).toBe(30_000);
    await played.clock.advance(30_000);
    expect((await played.status()).pending_confirm).toMatchObject({ request_id: payload.request_id });
    played.tell({ type: 'confirm', request_id: payload.request_id, action: 'allow' });
    expect((await played.status()).pending_confirm).toBeNull();
    expect(played.recorded('confirm')).toMatchObject([{ outcome: 'expired' }]);
    expect(played.recorded('tool')).toMatchObject([{ name: 'shell', status: 'refused' }]);
  });
});
