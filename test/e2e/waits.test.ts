import type { StoredWorkflow } from '../../rig/N8nClient';
import { outputOf } from '../../rig/n8nExecution';
import { until } from '../support/until';
import { messagesIn } from './support/messages';
import { Scene } from './support/Scene';
import { WorkflowBuilder } from './support/WorkflowBuilder';

/** A workflow that sends what it is told; suspended while it waits. */
const sending = (address: string, waitMode = 'suspend') =>
  new WorkflowBuilder(`sends ${address}`)
    .node('Start', 'webhook', { httpMethod: 'POST', path: address })
    .node('Send', 'chordSend', { message: '={{ $json.body.message }}', options: { waitMode } })
    .connect('Start', 'Send')
    .build();

describe('a suspended workflow whose message waits behind another', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  const newest = async (workflow: StoredWorkflow) =>
    (await scene.client.executions({ workflowId: workflow.id }))[0];
  const waits = async (workflow: StoredWorkflow) =>
    await until(async () => {
      const execution = await newest(workflow);
      return execution?.status === 'waiting' ? execution : undefined;
    }, `${workflow.name} is suspended`);

  test('stopped by its user, it sends nothing; the next message goes out', async () => {
    scene = await Scene.open({
      steps: [
        { when: { last_user: 'first' }, reply: { text: 'First.', delay_ms: 12_000 } },
        { times: 'any', reply: { text: 'Done.' } },
      ],
    });
    const [first, second, third] = [
      await scene.activate(sending('stopped-first')),
      await scene.activate(sending('stopped-second')),
      await scene.activate(sending('stopped-third', 'running')),
    ];
    await scene.client.callWebhook('stopped-first', { message: 'first' });
    await waits(first);
    await scene.client.callWebhook('stopped-second', { message: 'second' });
    const { id } = await waits(second);
    await scene.client.stopExecution(id);
    await scene.client.callWebhook('stopped-third', { message: 'third' });
    await scene.finished(first);
    await scene.finished(third);
    expect(messagesIn(scene)).toEqual(['first', 'third']);
    expect((await newest(second))?.status).toBe('canceled');
  });

  test('it stands in Status, and Control ends it with an error', async () => {
    scene = await Scene.open({ steps: [{ times: 'any', reply: { text: 'Late.', delay_ms: 600_000 } }] });
    const first = await scene.activate(sending('ended-first'));
    const second = await scene.activate(sending('ended-second'));
    const control = await scene.activate(
      new WorkflowBuilder('ends a wait')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'ends-a-wait' })
        .node('Status', 'chordStatus')
        .node('End', 'chordControl', {
          operation: 'cancelWait',
          executionId: { __rl: true, mode: 'id', value: '={{ $("Start").item.json.body.execution }}' },
        })
        .connect('Start', 'Status', 'End')
        .build(),
    );
    await scene.client.callWebhook('ended-first', { message: 'first' });
    const { id: firstId } = await waits(first);
    await scene.client.callWebhook('ended-second', { message: 'second' });
    const { id } = await waits(second);
    await scene.client.callWebhook('ends-a-wait', { execution: id });
    const ended = await scene.finished(control);
    const wait = { node: 'Send', last_try: null, problem: null };
    expect(outputOf(ended, 'Status')[0]?.json.waits).toMatchObject([
      { ...wait, execution_id: firstId, workflow: first.name },
      { ...wait, execution_id: id, workflow: second.name },
    ]);
    expect(outputOf(ended, 'End')[0]?.json).toMatchObject({ outcome: 'done', execution_id: id });
    const failed = await scene.finished(second, 'error');
    expect(failed.error?.message).toContain('ended the wait of Send in workflow');
    expect(failed.error?.message).toContain('was not written');
    expect(messagesIn(scene)).toEqual(['first']);
    expect((await newest(first))?.status).toBe('waiting');
  });
});
