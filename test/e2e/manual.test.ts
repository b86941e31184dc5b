import { randomUUID } from 'node:crypto';

import type { StoredWorkflow } from '../../rig/N8nClient';
import { outputOf } from '../../rig/n8nExecution';
import { agentsIn } from './support/agents';
import { PUSHES } from './support/scenarios';
import { Scene } from './support/Scene';
import { WorkflowBuilder } from './support/WorkflowBuilder';

/** A trigger for all decisions, and a node that shows what it gave. */
const listening = (name: string, parameters: Record<string, unknown> = {}) =>
  new WorkflowBuilder(name)
    .node('Trigger', 'chordTrigger', { preset: 'decisions', ...parameters })
    .node('Seen', 'noOp')
    .connect('Trigger', 'Seen')
    .build();

/** Gives the agent work about which it asks, whenever this webhook is called. */
const working = (hook: string, waitFor: 'turn' | 'nothing' = 'turn') =>
  new WorkflowBuilder('work')
    .node('Start', 'webhook', { httpMethod: 'POST', path: hook })
    .node('Send', 'chordSend', { message: 'Publish it.', waitFor })
    .connect('Start', 'Send')
    .build();

describe('a test run in the editor', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open(PUSHES);
  });
  afterEach(() => scene.close());

  test('with a sample gives a request at once and starts no agent', async () => {
    const workflow = await scene.create(listening('sample', { testWith: 'sample' }));
    await scene.client.run(workflow, 'Trigger');
    const [item] = outputOf(await scene.finished(workflow), 'Seen');
    expect(item?.json).toMatchObject({ event: 'confirm_request', request: { kind: 'confirm' } });
    expect(await agentsIn(scene.project)).toEqual([]);
  });

  test('B11: listens live beside an active trigger, answers in the same run, and leaves the active one as it is', async () => {
    const active = await scene.activate(listening('active'));
    const work = await scene.activate(working('manual-work'));
    const tested = await scene.create(
      new WorkflowBuilder('tested')
        .node('Trigger', 'chordTrigger', { preset: 'decisions', testWith: 'live' })
        .node('Confirm', 'chordConfirm', { decision: 'allow' })
        .connect('Trigger', 'Confirm')
        .build(),
    );
    const round = async (count: number) => {
      await scene.client.run(tested, 'Trigger');
      await scene.client.callWebhook('manual-work');
      const confirmed = await scene.finished(tested, 'success', count);
      expect(outputOf(confirmed, 'Confirm')[0]?.json).toMatchObject({ decision: { action: 'allow' } });
      expect(outputOf(await scene.finished(work, 'success', count), 'Send')[0]?.json).toMatchObject({
        outcome: 'completed',
      });
    };
    const seen = async (workflow: StoredWorkflow) => {
      const item = outputOf(await scene.finished(workflow), 'Seen')[0]?.json as { request: { id: string } };
      return item.request.id;
    };

    await round(1);
    const first = await seen(active);
    const agents = await agentsIn(scene.project);
    expect(agents).toHaveLength(1);

    await round(2);
    expect(await scene.client.executions({ workflowId: active.id })).toHaveLength(2);
    expect(await seen(active)).not.toBe(first);
    expect(await agentsIn(scene.project)).toEqual(agents);
  });

  test('with the request of an earlier run pinned to the trigger answers that request', async () => {
    const active = await scene.activate(listening('active'));
    const work = await scene.activate(working('pinned-work'));
    await scene.client.callWebhook('pinned-work');
    const [request] = outputOf(await scene.finished(active), 'Seen');
    const pinned = await scene.create(
      new WorkflowBuilder('pinned')
        .node('Trigger', 'chordTrigger', { preset: 'decisions' })
        .node('Answer', 'set', { mode: 'raw', jsonOutput: '{ "data": { "Decision": "Allow" } }' })
        .node('Confirm', 'chordConfirm')
        .connect('Trigger', 'Answer', 'Confirm')
        .pin('Trigger', request?.json)
        .build(),
    );
    await scene.client.run(pinned, 'Trigger');
    expect(outputOf(await scene.finished(pinned), 'Confirm')[0]?.json).toMatchObject({
      decision: { action: 'allow' },
    });
    expect(outputOf(await scene.finished(work), 'Send')[0]?.json).toMatchObject({ outcome: 'completed' });
  });

  describe('and the production run of the same trigger each get the request', () => {
    const starts: Record<string, (asked: Asked) => Promise<unknown>> = {
      'tested first, activated then': async ({ test, ask, activate, seen }) => {
        await test();
        await ask();
        await seen(1);
        await activate();
      },
      'published while the test listens': async ({ test, ask, activate }) => {
        await test();
        await activate();
        await ask();
      },
      'active, and tested while the request is open': async ({ test, ask, activate, seen }) => {
        await activate();
        await ask();
        await seen(1);
        await test();
      },
    };

    interface Asked {
      test: () => Promise<unknown>;
      ask: () => Promise<unknown>;
      activate: () => Promise<unknown>;
      /** Ids of the requests that so many executions got, once they have ended. */
      seen: (count: number) => Promise<string[]>;
    }

    test.each(Object.entries(starts))('%s', async (_, begin) => {
      const hook = `asked-${randomUUID()}`;
      const workflow = await scene.create(listening('tested and active', { testWith: 'live' }));
      await scene.activate(working(hook, 'nothing'));
      const seen = async (count: number) => {
        await scene.finished(workflow, 'success', count);
        const executions = await scene.client.executions({ workflowId: workflow.id });
        const whole = await Promise.all(executions.map(({ id }) => scene.client.execution(id)));
        return whole.map((one) => (outputOf(one, 'Seen')[0]?.json.request as { id: string }).id);
      };
      await begin({
        test: () => scene.client.run(workflow, 'Trigger'),
        ask: () => scene.client.callWebhook(hook),
        activate: () => scene.client.activate(workflow),
        seen,
      });
      const ids = await seen(2);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
    });
  });
});
