import { portBusy } from '../../rig/freePorts';
import type { N8nServer } from '../../rig/N8nServer';
import { until } from '../support/until';
import { agentsIn } from './support/agents';
import { startOwnServer } from './support/ownServer';
import { Scene } from './support/Scene';
import { WorkflowBuilder } from './support/WorkflowBuilder';

describe('no agent outlives n8n', () => {
  let server: N8nServer;
  let scene: Scene;
  beforeAll(async () => {
    server = await startOwnServer('own-n8n');
    scene = await Scene.open({ steps: [] }, server.client);
    await scene.activate(
      new WorkflowBuilder('starts an agent')
        .node('Trigger', 'chordTrigger', { preset: 'decisions', options: { startOnActivation: true } })
        .build(),
    );
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
