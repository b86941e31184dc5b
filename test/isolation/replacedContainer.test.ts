import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { N8nServer } from '../../rig/N8nServer';
import type { StoredWorkflow } from '../../rig/N8nClient';
import { executionReport } from '../../rig/executionReport';
import { startOwnServer } from '../e2e/support/ownServer';
import { Scene } from '../e2e/support/Scene';
import { sharedServer } from '../e2e/support/sharedServer';
import { WorkflowBuilder } from '../e2e/support/WorkflowBuilder';
import { until } from '../support/until';

jest.setTimeout(600_000);

/** As each new container has a name of its own; the files and the process numbers stay, and n8n is this very process. */
const underTheName = (name: string) => ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', name];

const sends = (address: string, options: object, more: object = {}) =>
  new WorkflowBuilder(address)
    .node('Start', 'webhook', { httpMethod: 'POST', path: address })
    .node('Send', 'chordSend', { message: 'Go.', options, ...more })
    .connect('Start', 'Send')
    .build();

describe('n8n in a container that is replaced by one with another name', () => {
  let server: N8nServer;
  let scene: Scene;
  let suspends: StoredWorkflow;
  let folder: string;

  const files = (kind: string) => readdirSync(path.join(folder, kind));

  beforeAll(async () => {
    server = await startOwnServer('replaced-container');
    folder = path.join(sharedServer().folder, 'replaced-container', '.n8n', 'chord');
    scene = await Scene.open(
      { steps: [{ times: 'any', reply: { text: 'Late.', delay_ms: 600_000 } }] },
      server.client,
    );
    suspends = await scene.activate(sends('suspends', { waitMode: 'suspend' }));
  });

  /** The newest run of the workflow that suspends. */
  const newest = async () => (await server.client.executions({ workflowId: suspends.id }))[0];

  async function suspendOne(): Promise<string> {
    await server.client.callWebhook('suspends');
    return until(
      async () => {
        const run = await newest();
        return run?.status === 'waiting' && files('waits').length === 1 && run.id;
      },
      { what: 'the run is suspended' },
    );
  }

  async function replaceBy(name: string): Promise<void> {
    await server.exited();
    await server.stop();
    server.setBefore(underTheName(name));
    await server.startProcess();
  }

  const endsWithItsOutcome = async (id: string) => {
    const message = await until(async () => (await server.client.execution(id)).error?.message, {
      limitMs: 180_000,
      what: 'the run has ended',
    }).catch(async (error: unknown) => {
      throw new Error(
        [(error as Error).message, await executionReport(server.client), await server.logTail()].join('\n'),
      );
    });
    expect(message).toContain('n8n was restarted while');
    await until(() => files('waits').length === 0, 'no wait is left');
  };

  test('stopped: the run that was suspended ends with its outcome', async () => {
    const run = await suspendOne();
    server.kill('SIGTERM');
    await replaceBy('second');
    await endsWithItsOutcome(run);
    expect(files('heartbeats')).toHaveLength(1);
  });

  test('killed: the run ends likewise, and a Send waits until its session may be taken over', async () => {
    const run = await suspendOne();
    const locked = files('locks');
    expect(locked).toHaveLength(1);
    server.kill('SIGKILL');
    await replaceBy('third');

    const workflow = await scene.activate(sends('goes-on', {}, { waitFor: 'nothing' }));
    await server.client.callWebhook('goes-on');
    const sent = await until(
      async () => {
        const [execution] = await server.client.executions({ workflowId: workflow.id });
        return execution && ['success', 'error'].includes(execution.status) && execution;
      },
      { limitMs: 180_000, what: 'the Send has ended' },
    );
    expect((await server.client.execution(sent.id)).error).toBeUndefined();
    expect(files('locks')).toEqual(locked);

    await endsWithItsOutcome(run);
    expect(files('heartbeats')).toHaveLength(1);
  });
});
