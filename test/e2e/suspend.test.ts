import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { outputOf } from '../../rig/n8nExecution';
import { executionReport } from '../../rig/executionReport';
import type { N8nServer } from '../../rig/N8nServer';
import { until } from '../support/until';
import { startOwnServer } from './support/ownServer';
import { messagesIn } from './support/messages';
import { makesFile } from './support/scenarios';
import { Scene } from './support/Scene';
import { sharedServer } from './support/sharedServer';
import { ASK_BY_EMAIL, MAIL_REPORT, WorkflowBuilder } from './support/WorkflowBuilder';

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

describe('a workflow that is suspended while Chord works', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  test('goes on at both outputs: the decision is mailed and given, the report follows, items stay paired', async () => {
    scene = await Scene.open(makesFile());
    const workflow = await scene.activate(approval('suspended-approval'));
    await scene.client.callWebhook('suspended-approval');
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
    await scene.client.callWebhook('suspended-failure');
    expect(outputOf(await scene.finished(workflow), 'Failed')[0]?.json).toEqual({ code: 'turn_failed' });
  });

  test('many short waits in one execution: each message is sent once, in order, and each run gets its own result', async () => {
    const tasks = Array.from({ length: 12 }, (_, index) => `task ${index}.`);
    scene = await Scene.open({ steps: [{ times: 'any', reply: { text: 'Done.' } }] });
    const workflow = await scene.activate(
      new WorkflowBuilder('many short waits')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'short-waits' })
        .oneByOne('body.tasks', 'task')
        .node('Send', 'chordSend', { message: '={{ $json.task }}', options: suspended })
        .node('End', 'noOp')
        .connect('Start', 'Split', 'Each', 'End')
        .connect({ node: 'Each', output: 1 }, 'Send', 'Each')
        .build(),
    );
    await scene.client.callWebhook('short-waits', { tasks });
    const turns = outputOf(await scene.finished(workflow), 'End').map(
      ({ json }) => (json.turn as { started_at: string }).started_at,
    );
    expect(turns).toEqual([...new Set(turns)].sort());
    expect(turns).toHaveLength(tasks.length);
    expect(messagesIn(scene)).toEqual(tasks);
  });

  test('no other call than the one with the token wakes it, also one that knows the address', async () => {
    scene = await Scene.open({ steps: [{ reply: { text: 'Late.', delay_ms: 600_000 } }] });
    const workflow = await scene.activate(
      new WorkflowBuilder('suspended and attacked')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'suspended-attacked' })
        .node('Address', 'set', {
          mode: 'raw',
          jsonOutput: '={{ { resumeUrl: $execution.resumeUrl } }}',
          options: {},
        })
        .node('Send', 'chordSend', { message: 'Go.', options: suspended })
        .connect('Start', 'Address', 'Send')
        .build(),
    );
    await scene.client.callWebhook('suspended-attacked');
    const waiting = await until(async () => {
      const [newest] = await scene.client.executions({ workflowId: workflow.id });
      return newest?.status === 'waiting' ? newest : undefined;
    });
    // The status may be stored a moment before the data.
    const resumeUrl = await until(async () => {
      const [item] = outputOf(await scene.client.execution(waiting.id), 'Address');
      return item?.json.resumeUrl as string | undefined;
    });
    // n8n 2 signs the address, and takes the signature with the node's id behind it; n8n 1 has nothing but the path.
    const address = `${resumeUrl}/${nodeId(workflow, 'Send')}`;
    const asked = async (method: string, body?: string) =>
      (await fetch(address, { method, body, headers: { 'content-type': 'application/json' } })).status;
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      expect([method, await asked(method)]).toEqual([method, 405]);
    }
    for (const body of ['{}', '{"token":"00"}', `{"token":"${'0'.repeat(64)}"}`, '[1]']) {
      expect([body, await asked('POST', body)]).toEqual([body, 403]);
    }
    const elsewhere = [resumeUrl, `${scene.client.url}/webhook-waiting/${waiting.id}`];
    for (const other of elsewhere) expect((await fetch(other, { method: 'POST' })).ok).toBe(false);
    const [after] = await scene.client.executions({ workflowId: workflow.id });
    expect(after?.status).toBe('waiting');
  });
});

const nodeId = (workflow: { nodes?: { name: string; id: string }[] }, name: string): string =>
  workflow.nodes?.find((node) => node.name === name)?.id ?? name;

describe('n8n is killed while executions are suspended', () => {
  let server: N8nServer;
  let scene: Scene;

  test('B62: after its restart each one ends with a clear outcome, and no wait is left', async () => {
    server = await startOwnServer('killed-n8n');
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
      await server.client.callWebhook('suspended-killed', { session });
    }
    const statuses = async () =>
      (await server.client.executions({ workflowId: workflow.id })).map(({ status }) => status);
    await until(async () => String(await statuses()) === 'waiting,waiting', { what: 'both executions wait' });

    const waits = path.join(sharedServer().folder, 'killed-n8n', '.n8n', 'chord', 'waits');
    server.kill('SIGKILL');
    await server.exited();
    await server.stop();
    await server.startProcess();

    await until(async () => String(await statuses()) === 'error,error', 'both executions have ended').catch(
      async (error: unknown) => {
        const left = readdirSync(waits).map((file) => readFileSync(path.join(waits, file), 'utf8'));
        const published = [
          (error as Error).message,
          await executionReport(server.client),
          ...left,
          await server.logTail(),
        ];
        throw new Error(published.join('\n'), { cause: error });
      },
    );
    for (const { id } of await server.client.executions({ workflowId: workflow.id })) {
      // The status may be stored a moment before the data.
      const message = await until(async () => (await server.client.execution(id)).error?.message);
      expect(message).toContain('n8n was restarted while');
    }
    expect(readdirSync(waits)).toEqual([]);
  });
});
