import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../simulator/scenario/scenario';
import type { ProfileName } from '../../simulator/wire/profile';
import { sandbox, type Sandbox } from './support/lab';
import { call, Played, scripted, seqs } from './support/played';

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

const ALL: ProfileName[] = ['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'];
const NUMBERED: ProfileName[] = ['d2', 'd2-receipts', 'd3'];
const ASK = scripted({
  Commit: call('shell', { command: 'git commit --allow-empty -m x' }),
  'tool: rejected': { text: 'Refused.' },
  'tool: [main': { text: 'Done.' },
});

describe('what a status shows', () => {
  it.each([
    ['d1', []],
    ['d1-roles', ['current_role']],
    ['d2', ['current_role', 'running_jobs', 'workdir']],
    ['d2-receipts', ['current_role', 'running_jobs', 'workdir']],
    [
      'd3',
      ['current_role', 'running_jobs', 'workdir', 'pending_questions', 'questions', 'question_binding_id'],
    ],
  ] as [ProfileName, string[]][])('%s', async (profile, keys) => {
    const status = await play(profile).status();
    for (const key of keys) expect(status).toHaveProperty(key);
    const later = [
      'current_role',
      'running_jobs',
      'workdir',
      'pending_questions',
      'questions',
      'question_binding_id',
    ];
    for (const key of later.filter((name) => !keys.includes(name))) expect(status).not.toHaveProperty(key);
    expect('pending_question' in status).toBe(profile !== 'd3');
  });
});

describe('seq', () => {
  it.each(NUMBERED)(
    '%s: a status before any push says 1, pushes rise from 2, replies have none',
    async (profile) => {
      const played = play(profile);
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
    const played = play('d2');
    played.tell({ type: 'subscribe', events: ['idle'] });
    played.send('Hello');
    const idle = await played.next('idle');
    expect(played.types).toEqual(['ready', 'subscribe_response', 'idle']);
    expect(idle.seq).toBeGreaterThan(2);
  });

  it.each(['d1', 'd1-roles'] as ProfileName[])('%s: nothing has one', async (profile) => {
    const played = play(profile);
    await played.status();
    played.send('Hello');
    await played.next('idle');
    expect(seqs(played.lines)).toEqual([]);
  });
});

describe('idle', () => {
  it.each(ALL)('%s: counts jobs only where the build does', async (profile) => {
    const played = play(profile);
    played.send('Hello');
    const { payload } = await played.next('idle');
    const base = { last_outcome: 'completed', suppress_user_notification: false };
    expect(payload).toEqual(NUMBERED.includes(profile) ? { ...base, running_jobs: 0 } : base);
  });

  it('is marked when no agent ran since the last one', async () => {
    const played = play('d2');
    played.send('/new');
    expect((await played.next('idle')).payload.suppress_user_notification).toBe(true);
    played.send('Hello');
    expect((await played.next('idle')).payload.suppress_user_notification).toBe(false);
  });

  it('counts a job until its note was read, and tells its result', async () => {
    const scenario = scripted({
      Start: call('spawn', { command: 'read -r _ < go', description: 'slow', timeout: 30 }),
      'tool: status: running': { text: 'Started.' },
      '[Job job-1 result]': { text: 'It is over.' },
    });
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(box.work, 'go')]);
    const played = play('d2', scenario);
    played.send('Start');
    expect((await played.next('idle')).payload.running_jobs).toBe(1);
    writeFileSync(join(box.work, 'go'), '\n');
    const { payload } = await played.next('background_result');
    expect(payload).toMatchObject({ session_id: played.id, target_agent_id: 'main' });
    expect(payload.content).toContain('Status: finished (exit 0)');
    expect((await played.next('idle')).payload.running_jobs).toBe(0);
    expect(played.types).not.toContain('toast');
  });

  it.each(ALL)('%s: waits for an open handoff only where pushes are numbered', async (profile) => {
    const scenario = scripted({
      Plan: call('write', { path: '.chord/plans/a.md', content: '# A\n' }),
      'tool: Successfully wrote': call('handoff', { plan_path: '.chord/plans/a.md' }),
    });
    const played = play(profile, scenario);
    played.send('Plan');
    const { payload } = await played.next('handoff_request');
    await played.settle();
    expect(played.types.includes('idle')).toBe(!NUMBERED.includes(profile));
    played.tell({ type: 'handoff', request_id: payload.request_id, action: 'cancel' });
    await played.settle();
    expect(played.types.filter((type) => type === 'idle')).toHaveLength(1);
    expect(played.recorded('handoff')).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

describe('requests', () => {
  it.each(ALL)('%s: name the agent only from roles on', async (profile) => {
    const played = play(profile, ASK);
    played.send('Commit');
    const { payload } = await played.next('confirm_request');
    expect(payload.agent_id).toBe(profile === 'd1' ? undefined : 'main');
  });

  it.each([
    ['allow', 'approved'],
    ['deny', 'denied'],
  ])('d3 tells that a confirm was closed: %s', async (action, reason) => {
    const played = play('d3', ASK);
    played.send('Commit');
    const { payload } = await played.next('confirm_request');
    played.tell({ type: 'confirm', request_id: payload.request_id, action });
    expect((await played.next('confirm_resolved')).payload).toEqual({
      request_id: payload.request_id,
      reason,
    });
  });

  it('d3 tells a confirm that a cancel closed', async () => {
    const played = play('d3', ASK);
    played.send('Commit');
    await played.next('confirm_request');
    played.tell({ type: 'cancel' });
    expect((await played.next('confirm_resolved')).payload.reason).toBe('cancelled');
    expect((await played.next('idle')).payload.last_outcome).toBe('cancelled');
  });

  it('K12: a time limit denies in silence, and a late answer has no effect', async () => {
    const file = join(box.home, '.config/chord/config.yaml');
    const { appendFileSync } = await import('node:fs');
    appendFileSync(file, 'confirm_timeout: 30\n');
    const scenario = scripted({
      Commit: call('shell', { command: 'git commit --allow-empty -m x' }),
      'tool: rejected by user': { text: 'Slow.', chunk_chars: 1, chunk_delay_ms: 1000 },
    });
    const played = play('d2', scenario);
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

  it.each(['d1-roles', 'd2'] as ProfileName[])(
    '%s: a message cancels an open handoff, and says so',
    async (profile) => {
      const scenario = scripted({
        Plan: call('write', { path: '.chord/plans/a.md', content: '# A\n' }),
        'tool: Successfully wrote': call('handoff', { plan_path: '.chord/plans/a.md' }),
        Hello: { text: 'Hello.' },
      });
      const played = play(profile, scenario);
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

describe('sessions', () => {
  it.each(ALL)('%s: an accepted handoff goes on in a new session', async (profile) => {
    const scenario = scripted({
      Plan: call('write', { path: '.chord/plans/a.md', content: '# A\n' }),
      'tool: Successfully wrote': call('handoff', { plan_path: '.chord/plans/a.md' }),
      'Execute the plan': { text: 'Planned.' },
    });
    const played = play(profile, scenario);
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

  it('switch in place, and say so', async () => {
    const played = play('d2');
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

describe('done', () => {
  const scenario = scripted({
    Finish: call('done', { report: 'All done.' }),
    'tool: unknown tool': { text: 'No such tool.' },
  });

  it('ends a turn in d1', async () => {
    const played = play('d1', scenario);
    played.send('Finish');
    expect((await played.next('done_completion')).payload.report).toBe('All done.');
    await played.next('idle');
  });

  it.each(['d1-roles', 'd2', 'd3'] as ProfileName[])(
    'exists in %s only while a loop runs',
    async (profile) => {
      const played = play(profile, scenario);
      played.send('Finish');
      expect((await played.next('assistant_message', { text: 'No such tool.' })).payload.tool_calls).toBe(0);
      await played.next('idle');
      played.send('/loop on Finish');
      const { payload } = await played.next('confirm_request', { tool_name: 'done' });
      played.tell({ type: 'confirm', request_id: payload.request_id, action: 'allow' });
      await played.next('done_completion');
      await played.next('idle');
    },
  );
});

describe('retries', () => {
  const scenario: Scenario = {
    name: 'retry',
    steps: [
      { reply: { status: 500, error: { message: 'kettle exploded' } } },
      { times: 'any', reply: { text: 'Better.' } },
    ],
  };

  it.each(ALL)('%s', async (profile) => {
    const played = play(profile, scenario);
    played.send('Hello');
    await played.settle();
    await played.clock.advance(200);
    const silent = NUMBERED.includes(profile);
    expect((await played.next('idle')).payload.last_outcome).toBe(silent ? 'completed' : 'error');
    expect(played.types.includes('error')).toBe(!silent);
    expect(played.payloads('activity').map(({ type }) => type)).toContain('retrying');
  });

  it('a real failure has an error everywhere', async () => {
    const played = play('d2', scripted({}));
    played.send('Hello');
    expect((await played.next('error')).payload).toHaveProperty('agent_id');
    expect((await played.next('idle')).payload.last_outcome).toBe('error');
  });
});

describe('notification', () => {
  it('follows a request where the build has it', async () => {
    const played = play('d2', ASK);
    played.send('Commit');
    await played.next('confirm_request');
    expect((await played.next('notification')).payload.reason).toBe('user_input_required');
    const earlier = play('d1-roles', ASK);
    earlier.send('Commit');
    await earlier.next('confirm_request');
    await earlier.settle();
    expect(earlier.types).not.toContain('notification');
  });
});

describe('raw envelopes of a scenario', () => {
  it('are pushed as they are', async () => {
    const scenario = scripted({
      Hello: {
        text: 'Hello.',
        emit: [{ type: 'mcp_status_changed', payload: { servers: [{ name: 'x' }] } }],
      },
    });
    const played = play('d3', scenario);
    played.send('Hello');
    const { payload, seq } = await played.next('mcp_status_changed');
    expect(payload).toEqual({ servers: [{ name: 'x' }] });
    expect(seq).toBeGreaterThan(1);
  });
});
