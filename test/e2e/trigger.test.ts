import { readFile } from 'node:fs/promises';

import { N8nRequestError } from '../../rig/N8nClient';
import { until } from '../support/until';
import { agentsIn } from './support/agents';
import { Scene } from './support/Scene';
import { sharedServer } from './support/sharedServer';
import { WorkflowBuilder } from './support/WorkflowBuilder';

/** n8n 1 can store no failed execution of a trigger, and answers an activation when it is done. */
const n8n1 = sharedServer().installed.release.version.startsWith('1.');

const listens = (name: string) =>
  new WorkflowBuilder(name)
    .node('Trigger', 'chordTrigger', { preset: 'decisions', options: { startOnActivation: true } })
    .build();

describe('an active trigger that fails', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ steps: [] });
  });
  afterEach(() => scene.close());

  test('B23: cannot be activated with a program that does not exist, and n8n says which', async () => {
    scene.credentials.chordHeadlessApi = await scene.client.createCredential(
      'Chord missing',
      'chordHeadlessApi',
      { ...scene.credentialData, command: '/nowhere/chord', commandArguments: '' },
    );
    const refused = await scene
      .activate(listens('a program that is missing'))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect((refused as Error).message).toContain('/nowhere/chord');
    expect(refused instanceof N8nRequestError ? refused.status : undefined).toBe(n8n1 ? 400 : undefined);
  });

  test('tells of an agent that ends unasked: as a failed execution, or in n8n’s log where there is none', async () => {
    const workflow = await scene.activate(listens('an agent that is killed'));
    const agent = await until(async () => (await agentsIn(scene.project))[0], 'the agent runs');
    const before = await readFile(sharedServer().logFile, 'utf8');
    process.kill(agent, 'SIGKILL');

    if (n8n1) {
      const logged = async () =>
        (await readFile(sharedServer().logFile, 'utf8')).slice(before.length).includes('Trigger: ');
      await until(logged, 'the log tells of it');
      expect(await scene.client.executions({ workflowId: workflow.id })).toEqual([]);
    } else {
      const execution = await scene.finished(workflow, 'error');
      expect(execution.error?.message).toContain('Chord');
    }
    // And the trigger goes on: the agent is started again.
    await until(async () => {
      const agents = await agentsIn(scene.project);
      return agents.length === 1 && agents[0] !== agent;
    }, 'another agent runs');
  });
});
