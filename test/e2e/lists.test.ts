import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Locator } from 'playwright-core';

import { outputOf } from '../../rig/n8nExecution';
import { agentFile } from '../support/agentFile';
import { until } from '../support/until';
import { openEditor, screenshot, type Editor } from './support/browser';
import { Scene } from './support/Scene';
import { WorkflowBuilder } from './support/WorkflowBuilder';

const steps = [
  {
    times: 'any',
    when: { last_user: 'plan', last_role: 'user' },
    reply: { text: 'A plan.', tool_calls: [{ name: 'handoff', args: { plan_path: 'plan.md' } }] },
  },
  { times: 'any', when: { last_role: 'user' }, reply: { text: 'The tea is ready.' } },
];

const session = { sessionFrom: 'named', sessionName: 'lists' };

/** A node for each list that the editor can show, none of which is ever run. */
const nodes = (): WorkflowBuilder =>
  new WorkflowBuilder('lists')
    .node('Start', 'manualTrigger')
    .node('Resume', 'chordControl', { operation: 'resumeSession', ...session })
    .node('Pool', 'chordControl', { operation: 'setModelPool', ...session })
    .node('Role', 'chordControl', { operation: 'setRole', ...session })
    .node('Handoff', 'chordHandoff', { decision: 'approve', ...session });

/** Gives the session tasks and orders, in an execution each. */
const worker = () =>
  new WorkflowBuilder('work for the lists')
    .node('Start', 'webhook', { httpMethod: 'POST', path: 'lists-work', responseMode: 'lastNode' })
    .node('Send', 'chordSend', { message: '={{ $json.body.task }}', sessionName: 'lists' })
    .node('New', 'chordControl', { operation: 'newSession', sessionName: 'lists' })
    .connect('Start', 'Send', 'New')
    .build();

describe('the lists in n8n’s editor', () => {
  let editor: Editor;
  let scene: Scene;
  let address: string;

  beforeAll(async () => {
    scene = await Scene.open({ steps });
    const configuration = path.join(scene.folder, 'chord-config');
    const file = path.join(configuration, 'config.yaml');
    const pools = 'model_pools:\n  thinking:\n    - scripted/scripted-1\n';
    await writeFile(file, (await readFile(file, 'utf8')).replace('model_pools:\n', pools));
    for (const name of ['builder', 'reviewer']) {
      await writeFile(path.join(configuration, 'agents', `${name}.yaml`), agentFile(name));
    }
    await writeFile(path.join(scene.project, 'plan.md'), '# Plan\n\n1. Warm the pot.\n');

    // A first session, which is over, and one that waits with a plan.
    const work = await scene.activate(worker());
    for (const [index, task] of ['Make tea, please.', 'Now a plan.'].entries()) {
      await scene.client.callWebhook('lists-work', { task });
      const execution = await scene.finished(work, 'success', index + 1);
      if (index === 1) expect(outputOf(execution, 'Send', 1)).toHaveLength(1);
    }
    const workflow = await scene.create(nodes().build());
    address = `${scene.client.url}/workflow/${workflow.id}`;
    editor = await openEditor(scene.client);
  });

  /** Opens a node, then the list of one of its parameters. */
  async function openList(node: string, parameter: string) {
    const { page } = editor;
    await page.goto(address);
    await page.locator(`[data-test-id=canvas-node][data-node-name="${node}"]`).dblclick();
    const input = page.locator(`[data-test-id=resource-locator-${parameter}] input[placeholder="Choose..."]`);
    await input.click();
    const items = page.locator('[data-test-id=rlc-item]:visible');
    await items.first().waitFor();
    return { input, items };
  }

  const textsOf = async (items: Locator) => (await items.allInnerTexts()).map((text) => text.trim());

  test.each<[string, string, string[]]>([
    ['Pool', 'pool', ['standard', 'thinking']],
    ['Pool', 'agent', ['builder (standard)', 'planner (standard)', 'reviewer (standard)']],
    ['Role', 'role', ['builder (active)', 'planner', 'reviewer']],
    ['Handoff', 'agent', ['planner', 'reviewer']],
    ['Handoff', 'pool', ['standard', 'thinking']],
  ])('%s: %s', async (node, parameter, expected) => {
    const { items } = await openList(node, parameter);
    await screenshot(editor.page, `list-${node}-${parameter}`);
    expect((await textsOf(items)).sort()).toEqual(expected);
  });

  test('earlier sessions, the last one first, with message, date and size; one is searched for and chosen', async () => {
    const { items, input } = await openList('Resume', 'sessionId');
    await screenshot(editor.page, 'list-Resume-sessionId');
    const texts = await textsOf(items);
    const facts = ' · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d · \\d+ (B|KB)$';
    expect(texts).toEqual([
      expect.stringMatching(`^Now a plan\\.${facts}`),
      expect.stringMatching(`^Make tea, please\\.${facts}`),
    ]);
    await editor.page.locator('[data-test-id=rlc-search]:visible').fill('TEA');
    await until(async () => (await items.count()) === 1, 'only what was searched for is left');
    await items.click();
    await until(async () => (await input.inputValue()) === texts[1], 'the chosen session is shown');
  });
});
