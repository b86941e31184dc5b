import path from 'node:path';

import { portBusy } from '../../rig/free-port';
import { N8nServer } from '../../rig/n8n-server';
import { until } from '../support/until';
import { agentsIn } from './support/agents';
import { Scene } from './support/scene';
import { sharedServer } from './support/shared-server';
import { WorkflowBuilder } from './support/workflow-builder';

describe('no agent outlives n8n', () => {
  let server: N8nServer;
  let scene: Scene;
  beforeAll(async () => {
    const { installed, tarball, folder } = sharedServer();
    server = await N8nServer.start(installed, { userFolder: path.join(folder, 'own-n8n'), tarball });
    scene = await Scene.open({ steps: [] }, server.client);
    await scene.activate(
      new WorkflowBuilder('starts an agent')
        .node('Trigger', 'chordTrigger', { preset: 'decisions', options: { startOnActivation: true } })
        .build(),
    );
  });
  afterAll(async () => {
    await server.stop();
    await scene.mailbox.close();
  });

  const agents = (count: number) =>
    until(async () => (await agentsIn(scene.project)).length === count, `${count} agents run`);

  test('B44: n8n is killed, and the agent ends by itself; the next n8n starts it again', async () => {
    await agents(1);
    server.kill('SIGKILL');
    await server.exited();
    await agents(0);
    await server.stop();
    await server.startProcess();
    await agents(1);
  });

  test('B43: n8n is stopped, and with it the agent; no port stays busy', async () => {
    await agents(1);
    await server.stop();
    expect(await agentsIn(scene.project)).toEqual([]);
    expect(await Promise.all(server.ports.map(portBusy))).toEqual([false, false]);
  });
});
