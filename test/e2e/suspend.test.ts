import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { outputOf } from '../../rig/n8n-execution';
import { N8nServer } from '../../rig/n8n-server';
import { until } from '../support/until';
import { Scene, type Scenario } from './support/scene';
import { sharedServer } from './support/shared-server';
import { ASK_BY_EMAIL, MAIL_REPORT, WorkflowBuilder } from './support/workflow-builder';

/** The agent makes a file, about which it is asked, and reports. */
const MAKES_A_FILE: Scenario = {
  ordered: true,
  steps: [
    {
      reply: {
        text: 'I will make the file.',
        tool_calls: [{ name: 'shell', args: { command: 'touch made', description: 'make the file' } }],
      },
    },
    { reply: { text: 'The file is made.' } },
  ],
};

const suspended = { waitMode: 'suspend', decisions: 'return' };

/** Send, e-mail, Confirm, report; both Chord nodes suspend the execution while they wait. */
const approval = (address: string) =>
  new WorkflowBuilder(`suspended approval ${address}`)
    .node('Start', 'webhook', { httpMethod: 'POST', path: address })
    .node('Send', 'chordSend', { message: 'Make the file.', waitFor: 'turn', options: suspended })
    .node('Ask', 'emailSend', ASK_BY_EMAIL)
    .node('Confirm', 'chordConfirm', { decision: 'fromStep', waitFor: 'turn', waitOptions: suspended })
    .node('Report', 'emailSend', MAIL_REPORT)
    .connect('Start', 'Send', 'Report')
    .connect({ node: 'Send', output: 1 }, 'Ask', 'Confirm', 'Report')
    .connect({ node: 'Confirm', output: 1 }, 'Ask')
    .build();

const begin = (url: string, address: string) =>
  fetch(`${url}/webhook/${address}`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });

describe('a workflow that is suspended while Chord works', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  test('goes on at both outputs: the decision is mailed and given, the report follows, items stay paired', async () => {
    scene = await Scene.open(MAKES_A_FILE);
    const workflow = await scene.activate(approval('suspended-approval'));
    await begin(scene.client.url, 'suspended-approval');
    const question = await scene.mail((mail) => mail.subject.includes('touch made'));
    await scene.answer(question, { Decision: 'Allow' });
    await scene.mail((mail) => mail.text.includes('The file is made.'));
    expect(existsSync(path.join(scene.project, 'made'))).toBe(true);

    const execution = await scene.finished(workflow);
    expect(outputOf(execution, 'Send', 1)).toMatchObject([{ pairedItem: { item: 0 } }]);
    expect(outputOf(execution, 'Confirm', 0)[0]?.json).toMatchObject({
      outcome: 'completed',
      decision: { action: 'allow', kind: 'confirm' },
    });
  });

  test('a failed turn is an error of the resumed node, on its error output', async () => {
    scene = await Scene.open({ steps: [{ reply: { status: 400, error: { message: 'no such model' } } }] });
    const workflow = await scene.activate(
      new WorkflowBuilder('suspended failure')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'suspended-failure' })
        .node('Send', 'chordSend', { message: 'Go.', options: suspended }, { onError: 'continueErrorOutput' })
        .node('Failed', 'set', { mode: 'raw', jsonOutput: '={{ { code: $json.error.code } }}', options: {} })
        .connect('Start', 'Send')
        .connect({ node: 'Send', output: 2 }, 'Failed')
        .build(),
    );
    await begin(scene.client.url, 'suspended-failure');
    expect(outputOf(await scene.finished(workflow), 'Failed')[0]?.json).toEqual({ code: 'turn_failed' });
  });

  test('no other call than the one with the token wakes it, and none changes anything', async () => {
    scene = await Scene.open({ steps: [{ reply: { text: 'Late.', delay_ms: 600_000 } }] });
    const workflow = await scene.activate(
      new WorkflowBuilder('suspended and attacked')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'suspended-attacked' })
        .node('Send', 'chordSend', { message: 'Go.', options: suspended })
        .connect('Start', 'Send')
        .build(),
    );
    await begin(scene.client.url, 'suspended-attacked');
    const waiting = await until(async () => {
      const [newest] = await scene.client.executions({ workflowId: workflow.id });
      return newest?.status === 'waiting' ? newest : undefined;
    });
    const address = `${scene.client.url}/webhook-waiting/${waiting.id}/${nodeId(workflow, 'Send')}`;
    const answers = await Promise.all([
      ...['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'].map((method) => fetch(address, { method })),
      ...['{}', '{"token":"00"}', `{"token":"${'0'.repeat(64)}"}`, '[1]'].map((body) =>
        fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      ),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual(Array(9).fill(false));
    const [after] = await scene.client.executions({ workflowId: workflow.id });
    expect(after?.status).toBe('waiting');
  });
});

const nodeId = (workflow: { nodes?: { name: string; id: string }[] }, name: string): string =>
  workflow.nodes?.find((node) => node.name === name)?.id ?? name;

describe('n8n is killed while executions are suspended', () => {
  let server: N8nServer;
  let scene: Scene;
  afterEach(async () => {
    await server.stop();
    await scene.mailbox.close();
  });

  test('B62: after its restart each one ends with a clear outcome, and no wait is left', async () => {
    const { installed, tarball, folder } = sharedServer();
    server = await N8nServer.start(installed, { userFolder: path.join(folder, 'killed-n8n'), tarball });
    scene = await Scene.open(
      { steps: [{ times: 'any', reply: { text: 'Late.', delay_ms: 600_000 } }] },
      server.client,
    );
    const workflow = await scene.activate(
      new WorkflowBuilder('suspended and killed')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'suspended-killed' })
        .node('Send', 'chordSend', {
          message: 'Go.',
          sessionName: '={{ $json.body.session }}',
          options: suspended,
        })
        .connect('Start', 'Send')
        .build(),
    );
    for (const session of ['one', 'two']) {
      await fetch(`${server.url}/webhook/suspended-killed`, {
        method: 'POST',
        body: JSON.stringify({ session }),
        headers: { 'content-type': 'application/json' },
      });
    }
    const statuses = async () =>
      (await server.client.executions({ workflowId: workflow.id })).map(({ status }) => status);
    await until(async () => String(await statuses()) === 'waiting,waiting', { what: 'both executions wait' });

    server.kill('SIGKILL');
    await server.exited();
    await server.stop();
    await server.startProcess();

    await until(async () => String(await statuses()) === 'error,error', {
      what: 'both executions have ended',
    });
    for (const { id } of await server.client.executions({ workflowId: workflow.id })) {
      // The status may be stored a moment before the data.
      const message = await until(async () => (await server.client.execution(id)).error?.message);
      expect(message).toContain('n8n was restarted while');
    }
    expect(readdirSync(path.join(folder, 'killed-n8n', '.n8n', 'chord', 'waits'))).toEqual([]);
  });
});
