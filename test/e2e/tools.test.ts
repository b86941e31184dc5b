import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { outputOf } from '../../rig/n8nExecution';
import type { Workflow } from '../../rig/n8nWorkflowFile';
import { ModelServer } from './support/ModelServer';
import { Scene } from './support/Scene';
import { WorkflowBuilder } from './support/WorkflowBuilder';

/** Chord asks whether it may run a command. */
const ASKS = {
  steps: [{ reply: { tool_calls: [{ name: 'shell', args: { command: 'touch made', description: 'x' } }] } }],
};

describe('our nodes as tools of an AI agent in n8n', () => {
  let scene: Scene;
  let model: ModelServer | undefined;
  beforeEach(async () => {
    scene = await Scene.open(ASKS);
  });
  afterEach(async () => {
    model?.stop();
    model = undefined;
    await scene.close();
  });

  /** n8n's AI Agent with one of our nodes connected to it as a tool; the model answers what the steps say. */
  async function agentWith(type: string, parameters: Record<string, unknown>, steps: object[]) {
    const script = path.join(scene.folder, 'model.json');
    await writeFile(script, JSON.stringify({ name: 'agent', steps }));
    model = await ModelServer.start(script);
    const openAiApi = await scene.client.createCredential('Model', 'openAiApi', {
      apiKey: 'not-a-secret',
      url: `${model.url}/v1`,
    });
    const address = `tool-${path.basename(scene.folder)}`;
    const workflow: Workflow = new WorkflowBuilder(`an agent with ${type}`)
      .node('Start', 'webhook', { httpMethod: 'POST', path: address })
      .node('Agent', '@n8n/n8n-nodes-langchain.agent', { promptType: 'define', text: 'Go.', options: {} })
      .node(
        'Model',
        '@n8n/n8n-nodes-langchain.lmChatOpenAi',
        { model: { __rl: true, mode: 'id', value: 'mock-1' }, options: {} },
        { credentials: { openAiApi } },
      )
      .node('Chord Tool', type, parameters)
      .connect('Start', 'Agent')
      .build();
    for (const [node, kind] of [
      ['Model', 'ai_languageModel'],
      ['Chord Tool', 'ai_tool'],
    ] as const) {
      workflow.connections[node] = { [kind]: [[{ node: 'Agent', type: kind, index: 0 }]] };
    }
    return { workflow, begin: () => scene.client.callWebhook(address) };
  }

  test('B21: n8n makes tools of Send and Status, and of no node that decides', async () => {
    const types = (await scene.client.nodeTypes()).filter(({ name }) => name.startsWith('n8n-nodes-chord.'));
    const tools = types.filter(({ name }) => /tool$/i.test(name));
    expect(tools.map(({ name, outputs }) => [name, outputs])).toEqual([
      ['n8n-nodes-chord.chordSendTool', ['ai_tool']],
      ['n8n-nodes-chord.chordStatusTool', ['ai_tool']],
    ]);
    expect(types.filter(({ usableAsTool }) => usableAsTool).map(({ name }) => name)).toEqual([
      'n8n-nodes-chord.chordSend',
      'n8n-nodes-chord.chordStatus',
    ]);
  });

  test('B21: a model calls Chord Send, and is told that a person must decide what Chord asks', async () => {
    const { workflow, begin } = await agentWith(
      'chordSendTool',
      { message: "={{ $fromAI('task', 'the task', 'string') }}" },
      [
        {
          when: { last_tool: null },
          reply: { tool_calls: [{ name: 'Chord_Tool', args: { task: 'Make it.' } }] },
        },
        {
          when: { last_tool: ['touch made', 'a person has to decide'] },
          reply: { text: 'Please decide.' },
        },
      ],
    );
    const stored = await scene.activate(workflow);
    await begin();
    expect(outputOf(await scene.finished(stored), 'Agent')[0]?.json).toEqual({ output: 'Please decide.' });
  });

  test('an agent that Chord Confirm is connected to does not run: the model is never asked', async () => {
    const { workflow, begin } = await agentWith('chordConfirm', { decision: 'allow' }, [
      { reply: { text: 'Hello.' } },
    ]);
    const stored = await scene.activate(workflow);
    await begin();
    await scene.finished(stored, 'error');
    expect(await model?.requests()).toBe(0);
  });

  test.each([
    'chordAnswerTool',
    'chordConfirmTool',
    'chordQuestionTool',
    'chordHandoffTool',
    'chordControlTool',
  ])('n8n refuses a workflow in which %s was written by hand', async (type) => {
    const { workflow } = await agentWith(type, {}, []);
    await expect(scene.activate(workflow)).rejects.toThrow('cannot be used as a tool');
  });
});
