import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { agentFile } from '../../support/agentFile';
import { until } from '../../support/until';
import { shutDownRegistry } from '../support/ChordProject';
import { codeOf, profiles, useScene } from '../support/Scene';
import { planForNobody } from '../support/planForNobody';

jest.setTimeout(60_000);

const handoff = { name: 'handoff', args: { plan_path: 'plan.md' } };

const steps: Step[] = [
  {
    id: 'carry out',
    times: 'any',
    when: { last_user: 'Execute the plan at', last_role: 'user' },
    reply: { text: 'The plan is carried out.' },
  },
  {
    id: 'again',
    times: 'any',
    when: { last_user: 'Handoff rejected:', last_role: 'user' },
    reply: { text: 'A better plan.', tool_calls: [handoff] },
  },
  planForNobody,
  {
    id: 'confirm',
    times: 'any',
    when: { last_user: 'confirm', last_role: 'user' },
    reply: { tool_calls: [{ name: 'shell', args: { command: 'echo one', description: 'for a test' } }] },
  },
  { id: 'refused', times: 'any', when: { last_tool: 'rejected', last_role: 'tool' }, reply: { text: 'No.' } },
  {
    id: 'plan',
    times: 'any',
    when: { last_role: 'user' },
    reply: { text: 'A plan.', tool_calls: [handoff] },
  },
];

const files = {
  'agents/builder.yaml': agentFile('builder', 'main'),
  'agents/reviewer.yaml': agentFile('reviewer', 'main'),
};

afterAll(shutDownRegistry);

describe.each(profiles)('Chord Handoff on %s', (profile) => {
  const scene = useScene(profile, steps, { files });

  const decide = async (item: IDataObject, parameters: IDataObject = {}, more = {}) =>
    await scene.run('chordHandoff', [item], parameters, more);

  /** What Chord did with the plan. */
  const outcome = async (id: string) =>
    await until(() =>
      scene.project.recorded('handoff').find(({ request_id: requestId }) => requestId === id),
    );

  const written = (id: string) =>
    scene.project.commands('handoff').filter(({ request_id: requestId }) => requestId === id);

  test.each<[string, IDataObject, IDataObject]>([
    [
      'an agent and a pool',
      { decision: 'approve', agent: 'reviewer', pool: { __rl: true, mode: 'list', value: 'thinking' } },
      { agent: 'reviewer', pool: 'thinking' },
    ],
    [
      'the form',
      { stepResult: { data: { Decision: 'Approve', Agent: 'planner', 'Model Pool': '', Reason: 'good' } } },
      { agent: 'planner', pool: '' },
    ],
    [
      'the form, before what the node says',
      {
        stepResult: { data: { Decision: 'Approve', Agent: 'reviewer', 'Model Pool': 'standard' } },
        agent: 'planner',
        pool: 'thinking',
      },
      { agent: 'reviewer', pool: 'standard' },
    ],
  ])('approves with %s', async (_what, parameters, chosen) => {
    const asked = await scene.ask('plan');
    const { items, error } = await decide(asked, { ...parameters, waitFor: 'turn' });
    expect(error).toBeUndefined();
    expect(items('Node')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'The plan is carried out.',
      decision: { request_id: asked.request.id, kind: 'handoff', action: 'approve' },
    });
    expect(await outcome(asked.request.id)).toMatchObject({ outcome: 'approved', ...chosen });
  });

  test('denies with a reason, and the better plan comes as a new request', async () => {
    const asked = await scene.ask('plan');
    const { items } = await decide(asked, { decision: 'deny', denyReason: 'too long', waitFor: 'turn' });
    expect(items('Node', 1)[0]?.json).toMatchObject({
      event: 'handoff_request',
      decision: { request_id: asked.request.id, action: 'deny' },
    });
    expect(await outcome(asked.request.id)).toMatchObject({ outcome: 'denied', reason: 'too long' });
    const { request } = items('Node', 1)[0]?.json as typeof asked;
    expect(request.id).not.toBe(asked.request.id);
    await decide(items('Node', 1)[0]!.json, { decision: 'approve', agent: 'planner' });
    expect(await outcome(request.id)).toMatchObject({ outcome: 'approved', agent: 'planner' });
  });

  test.each<[string, IDataObject, string]>([
    ['a denial', { decision: 'deny' }, 'denied'],
    [
      'a denial in the form',
      { stepResult: { data: { Decision: 'Deny', Agent: ['x'] }, Agent: 'y' } },
      'denied',
    ],
    ['a cancellation', { decision: 'cancel', denyReason: '={{ $("Nobody").item.json.x }}' }, 'cancelled'],
  ])('%s does not fail for what belongs to another decision', async (_what, parameters, came) => {
    const asked = await scene.ask('plan');
    const wrong = { agent: '={{ $("Nobody").item.json.x }}', pool: '={{ ({}) }}' };
    const { error } = await decide(asked, { ...wrong, ...parameters });
    expect(error).toBeUndefined();
    expect(await outcome(asked.request.id)).toMatchObject({ outcome: came });
  });

  test.each<[string, IDataObject]>([
    ['by the node', { decision: 'cancel' }],
    ['by the form', { stepResult: { data: { Decision: ' cancel ' } } }],
  ])('cancels %s: the plan is dropped and no work follows', async (_how, parameters) => {
    const asked = await scene.ask('plan');
    const { items, error } = await decide(asked, { ...parameters, waitFor: 'turn' });
    expect(error).toBeUndefined();
    expect(items('Node')[0]?.json).toMatchObject({ decision: { action: 'cancel' } });
    expect(await outcome(asked.request.id)).toMatchObject({ outcome: 'cancelled' });
  });

  test('reads a denial from approve buttons, with the reason of the node', async () => {
    const asked = await scene.ask('plan');
    await decide(asked, { stepResult: { data: { approved: false } }, denyReason: 'not now' });
    expect(await outcome(asked.request.id)).toMatchObject({ outcome: 'denied', reason: 'not now' });
  });

  test.each<[string, string, IDataObject, string]>([
    [
      'B71: an agent that was not offered',
      'plan',
      { decision: 'approve', agent: 'builder' },
      'invalid_answer',
    ],
    [
      'a pool that was not offered',
      'plan',
      { decision: 'approve', agent: 'reviewer', pool: 'gamma' },
      'invalid_answer',
    ],
    ['no agent, where none is marked', 'plan', { decision: 'approve' }, 'invalid_answer'],
    ['B71: an approval where no agent is offered', 'nobody', { decision: 'approve' }, 'invalid_answer'],
    ['B64: an empty decision', 'plan', { decision: '={{ "" }}' }, 'invalid_settings'],
    [
      'B64: an empty id',
      'plan',
      { decision: 'approve', requestFrom: 'id', requestId: '={{ "" }}' },
      'unknown_request',
    ],
    [
      'an unknown id',
      'plan',
      { decision: 'approve', requestFrom: 'id', requestId: 'r-0' },
      'unknown_request',
    ],
    ['a request of another kind', 'confirm', { decision: 'approve', agent: 'reviewer' }, 'wrong_kind'],
    ['another language', 'plan', { stepResult: { data: { Decision: 'Genehmigen' } } }, 'no_decision'],
    ['a form with missing fields', 'plan', { stepResult: { data: { Agent: 'planner' } } }, 'no_decision'],
    ['an array instead of an object', 'plan', { stepResult: ['Approve'] }, 'no_decision'],
    ['a reply that is only blanks', 'plan', { stepResult: { data: { text: '  ' } } }, 'no_decision'],
    [
      'two decisions that differ',
      'plan',
      { stepResult: { data: { approved: true, Decision: 'Deny' } } },
      'no_decision',
    ],
    [
      'a negative time limit',
      'plan',
      { decision: 'cancel', waitFor: 'turn', waitOptions: { timeoutSeconds: -1 } },
      'invalid_settings',
    ],
    ['a wait for jobs without a limit', 'plan', { decision: 'cancel', waitFor: 'jobs' }, 'invalid_settings'],
  ])('bad input: %s is refused in words, and nothing is written', async (_what, task, parameters, code) => {
    const asked = await scene.ask(task);
    const execution = await decide(asked, parameters);
    expect(codeOf(execution)).toBe(code);
    expect(execution.error?.message).toMatch(/^[A-Z"].{15,}\.$/);
    expect(written(asked.request.id)).toEqual([]);
  });

  test('a second decision is none', async () => {
    const asked = await scene.ask('plan');
    await decide(asked, { decision: 'cancel' });
    const late = await decide(asked, { decision: 'approve', agent: 'reviewer' });
    expect(codeOf(late)).toBe('already_answered');
    expect(written(asked.request.id).map(({ action }) => action)).toEqual(['cancel']);
  });

  test('starts no process: a plan whose Chord has ended is lost', async () => {
    const asked = await scene.ask('plan');
    await scene.control('stopProcess', { options: { force: true } });
    const starts = scene.project.recorded('session').length;
    const execution = await decide(asked, { decision: 'approve', agent: 'reviewer' });
    expect(codeOf(execution)).toBe('no_longer_pending');
    expect(scene.project.recorded('session')).toHaveLength(starts);
  });
});
