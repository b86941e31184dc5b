import type { Scenario } from '../../../simulator/scenario/scenario';
import type { ProfileName } from '../../../simulator/wire/profile';
import { call, type Played } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

const DELEGATE = {
  when: { last_user: 'Go.', has_tool: 'delegate', last_role: 'user' },
  reply: call('delegate', { description: 'Look.', agent_type: 'helper' }),
};
const MAIN = [
  { when: { last_tool: '"status":"started"', has_tool: 'delegate' }, reply: { text: 'Waiting.' } },
  { when: { has_tool: 'delegate' }, times: 'any' as const, reply: { text: 'Wrapped.' } },
];

function play(helper: Scenario['steps'], profile: ProfileName = 'd1'): Played {
  const played = ground.play(profile, { name: 'sub', steps: [DELEGATE, ...helper, ...MAIN] });
  played.send('Go.');
  return played;
}

const HELPER = { has_tool: 'complete' };

describe('a SubAgent', () => {
  it('that fails is told by notice, error and toast, and wakes the main agent (measured)', async () => {
    const one = play([
      { when: HELPER, reply: { status: 400, error: { message: 'no', type: 'invalid_request_error' } } },
    ]);
    const cause = 'API error 400: no';
    expect((await one.next('agent_notify')).payload).toMatchObject({
      kind: 'risk_alert',
      message: `SubAgent failed (llm): ${cause}`,
    });
    expect((await one.next('error')).payload).toEqual({
      agent_id: '',
      message: `SubAgent helper-2 error: ${cause}`,
    });
    expect((await one.next('toast')).payload).toMatchObject({ agent_id: 'helper-2', level: 'error' });
    await one.next('assistant_message', { text: 'Wrapped.' });
    expect((await one.next('idle')).payload.last_outcome).toBe('error');
  });

  it('that needs help is told by a toast, and rests (measured)', async () => {
    const one = play([{ when: HELPER, reply: call('escalate', { reason: 'stuck' }) }]);
    expect((await one.next('toast')).payload).toEqual({
      agent_id: 'helper-2',
      level: 'warn',
      message: 'stuck',
    });
    await one.next('assistant_message', { text: 'Wrapped.' });
    await one.next('idle');
  });

  it('that answers in words only is sent on (measured)', async () => {
    const one = play([
      { when: { ...HELPER, last_user: 'Look.' }, reply: { text: 'just text' } },
      { when: { ...HELPER, last_user: 'Do not stop' }, reply: call('complete', { summary: 'seen' }) },
    ]);
    expect((await one.next('agent_done')).payload.summary).toBe('seen');
    await one.next('idle');
  });

  it('keeps `idle` from being told, and ends with a cancel', async () => {
    const one = play([{ when: HELPER, reply: { hang: true } }], 'd2');
    await one.next('assistant_message', { text: 'Waiting.' });
    await one.settle();
    expect((await one.status()).busy).toBe(true);
    expect(one.types).not.toContain('idle');
    one.tell({ type: 'cancel' });
    expect((await one.next('idle')).payload.last_outcome).toBe('cancelled');
  });
});

describe('a cancel of main agent and SubAgent at once', () => {
  const slow = { text: 'slow slow', chunk_chars: 1, chunk_delay_ms: 1000 };

  it.each([
    ['d1', false],
    ['d2', true],
  ] as [ProfileName, boolean][])('%s: followed by an idle: %s', async (profile, published) => {
    const played = ground.play(profile, {
      name: 'sub',
      steps: [
        DELEGATE,
        { when: HELPER, reply: slow },
        { when: { last_tool: 'started' }, reply: slow },
        ...MAIN,
      ],
    });
    played.send('Go.');
    await played.next('agent_started');
    await played.settle();
    played.tell({ type: 'cancel' });
    await played.clock.advance(60_000);
    expect(played.types.includes('idle')).toBe(published);
    played.send('More.');
    await played.next('assistant_message', { text: 'Wrapped.' });
    await played.next('idle');
  });
});
