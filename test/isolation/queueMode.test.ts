import type { N8nServer } from '../../rig/N8nServer';
import { outputOf } from '../../rig/n8nExecution';
import { agentsIn } from '../e2e/support/agents';
import { Scene } from '../e2e/support/Scene';
import { WorkflowBuilder } from '../e2e/support/WorkflowBuilder';
import { until } from '../support/until';
import { QueueMode } from './support/QueueMode';

jest.setTimeout(300_000);

const sends = (name: string, options: object = {}) =>
  new WorkflowBuilder(name)
    .node('Start', 'webhook', { httpMethod: 'POST', path: name })
    .node('Send', 'chordSend', { message: 'Make tea.', options }, { onError: 'continueRegularOutput' })
    .connect('Start', 'Send')
    .build();

const triggers = (testWith: string) =>
  new WorkflowBuilder(`trigger, ${testWith}`)
    .node('Trigger', 'chordTrigger', { preset: 'decisions', testWith })
    .build();

describe('n8n in queue mode, with a main process and a worker', () => {
  let queue: QueueMode;
  let main: N8nServer;
  let scene: Scene;
  let left: { id: string; name: string };

  beforeAll(async () => {
    // A run that was suspended before n8n was put into queue mode.
    queue = await QueueMode.start('queue-mode', {});
    ({ main } = queue);
    scene = await Scene.open({ steps: [{ reply: { text: 'Late.', delay_ms: 600_000 } }] }, main.client);
    left = await scene.activate(sends('left', { waitMode: 'suspend' }));
    await main.client.callWebhook('left');
    await until(
      async () => (await main.client.executions({ workflowId: left.id }))[0]?.status === 'waiting',
      {
        what: 'the run waits',
      },
    );
    await main.stop();
    main.setEnvironment({ EXECUTIONS_MODE: 'queue' });
    await queue.startWorker();
    await main.startProcess();
  });

  test('B22: a node in a worker fails at once and starts no Chord', async () => {
    const workflow = await scene.activate(sends('in-a-worker'));
    await main.client.callWebhook('in-a-worker');
    const execution = await scene.finished(workflow);
    expect(outputOf(execution, 'Send')).toMatchObject([{ json: { error: { code: 'queue_mode' } } }]);
    expect(await agentsIn(scene.project)).toEqual([]);
  });

  test('a trigger in the main process cannot be activated, and n8n says why', async () => {
    await expect(scene.activate(triggers('live'))).rejects.toThrow('queue mode');
    expect(await agentsIn(scene.project)).toEqual([]);
  });

  test('the sample of a trigger can still be tested', async () => {
    const workflow = await scene.create(triggers('sample'));
    const id = await main.client.run(workflow, 'Trigger');
    const done = await until(async () => {
      const execution = await main.client.execution(id).catch(() => undefined);
      return execution?.status === 'success' && execution;
    }, 'the test has ended');
    expect(outputOf(done, 'Trigger')).toMatchObject([{ json: { event: 'confirm_request' } }]);
  });

  test('a run that was suspended in regular mode ends with the reason', async () => {
    const execution = await scene.finished(left as never);
    expect(outputOf(execution, 'Send')).toMatchObject([{ json: { error: { code: 'queue_mode' } } }]);
  });
});
