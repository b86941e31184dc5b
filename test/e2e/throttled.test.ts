import path from 'node:path';

import { N8nServer } from '../../rig/N8nServer';
import { until } from '../support/until';
import { makesFile } from './support/scenarios';
import { Scene } from './support/Scene';
import { sharedServer } from './support/sharedServer';
import { ASK_BY_EMAIL, WorkflowBuilder } from './support/WorkflowBuilder';

/** Long enough that a caller who does not wait for n8n's answer loses patience several times. */
const BUSY_SECONDS = 35;

describe('an n8n that runs one workflow at a time', () => {
  let server: N8nServer;
  let scene: Scene;
  beforeAll(async () => {
    const { installed, tarball, folder } = sharedServer();
    server = await N8nServer.start(installed, {
      userFolder: path.join(folder, 'throttled-n8n'),
      tarball,
      environment: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' },
    });
  }, 240_000);
  afterAll(async () => {
    await scene.mailbox.close();
    await server.stop();
  });

  test('goes on with a suspended run once it has a free slot, and asks by e-mail once', async () => {
    scene = await Scene.open(makesFile(12_000), server.client);
    const asking = await scene.activate(
      new WorkflowBuilder('suspended and throttled')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'throttled' })
        .node('Send', 'chordSend', {
          message: 'Make the file.',
          options: { waitMode: 'suspend', decisions: 'return' },
        })
        .node('Ask', 'emailSend', ASK_BY_EMAIL)
        .connect('Start', 'Send')
        .connect({ node: 'Send', output: 1 }, 'Ask')
        .build(),
    );
    const busy = await scene.activate(
      new WorkflowBuilder('holds the slot')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'holds-the-slot' })
        .node('Hold', 'wait', { resume: 'timeInterval', amount: BUSY_SECONDS, unit: 'seconds' })
        .connect('Start', 'Hold')
        .build(),
    );
    const quick = await scene.activate(
      new WorkflowBuilder('comes last')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'comes-last' })
        .node('End', 'noOp')
        .connect('Start', 'End')
        .build(),
    );
    const status = async (workflow: { id: string }) =>
      (await server.client.executions({ workflowId: workflow.id }))[0]?.status;

    void server.client.callWebhook('throttled');
    await until(async () => (await status(asking)) === 'waiting', 'the first workflow is suspended');
    void server.client.callWebhook('holds-the-slot');
    await until(async () => (await status(busy)) === 'running', 'the slot is taken');
    expect(scene.mailbox.mails).toEqual([]);
    await scene.mail((mail) => mail.subject.includes('touch made'));
    const held = await scene.finished(busy);
    // It stood behind every resume call: once it has run, none is left.
    void server.client.callWebhook('comes-last');
    await scene.finished(quick);

    const [mail, ...more] = scene.mailbox.mails;
    expect(more.map(({ subject }) => subject)).toEqual([]);
    // The resume call did wait for the slot.
    expect(mail?.receivedAt.getTime()).toBeGreaterThan(new Date(held.stoppedAt ?? '').getTime());
  });
});
