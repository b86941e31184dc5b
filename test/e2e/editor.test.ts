import path from 'node:path';

import packageFile from '../../package.json';
import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { until } from '../support/until';
import { openEditor, screenshot, type Editor } from './support/browser';
import { Scene } from './support/Scene';

/** The names for people of all nodes that the package declares: `…/ChordSend.node.js` is "Chord Send". */
const NODES = packageFile.n8n.nodes.map((file) => path.basename(file, '.node.js').replace(/\B[A-Z]/g, ' $&'));

describe('n8n’s editor', () => {
  let editor: Editor;
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ steps: [] });
    editor = await openEditor(scene.client);
  });

  test('lists our nodes under their names, each with its icon', async () => {
    const { page } = editor;
    await page.goto(`${scene.client.url}/workflow/new`);
    await page.locator('[data-test-id=canvas-add-button]').click();
    await page.locator('[data-test-id=node-creator-search-bar]').fill('chord');
    const entries = page.locator('[data-test-id=item-iterator-item]');
    await entries.filter({ hasText: 'Chord Send' }).waitFor();
    await screenshot(page, 'node-list');
    const names = (await entries.allInnerTexts()).map((text) => text.split('\n')[0]?.trim());
    // n8n lists a trigger without the word "Trigger", and hides nodes of its category "AI" here (measured, 2.40.7).
    expect(names.sort()).toEqual(NODES.map((name) => name.replace(' Trigger', '')).sort());
    expect(await entries.locator('img').count()).toBeGreaterThanOrEqual(NODES.length);
    // An image that is still being loaded looks like a broken one.
    const loaded = () =>
      entries
        .locator('img')
        .evaluateAll((images) =>
          images.every((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
        );
    await until(loaded, 'every icon is loaded');
  });

  test('shows a shipped workflow with its nodes and opens one of them', async () => {
    const workflow = await scene.create(await exampleWorkflow('ask-by-email', scene.credentials));
    const { page } = editor;
    await page.goto(`${scene.client.url}/workflow/${workflow.id}`);
    const nodes = page.locator('[data-test-id=canvas-node]');
    await nodes.first().waitFor();
    const answer = page.locator('[data-test-id=canvas-node][data-node-name="Chord Answer"]');
    await answer.waitFor();
    await screenshot(page, 'workflow');
    const texts = (await nodes.allInnerTexts()).join('\n');
    expect(texts).toContain('Chord Trigger');
    expect(texts).toContain('Chord Answer');

    await answer.dblclick();
    const panel = page.locator('[data-test-id=ndv], [data-test-id=node-parameters]').first();
    await panel.waitFor();
    await screenshot(page, 'answer');
    expect(await panel.innerText()).toContain('If Nobody Answers');
  });

  test('knows all our node types, with a light and a dark icon each', async () => {
    const types = (await scene.client.nodeTypes()).filter(({ name }) => name.startsWith('n8n-nodes-chord.'));
    const shown = types.filter(({ name }) => !name.endsWith('Tool'));
    expect(shown.map(({ displayName }) => displayName).sort()).toEqual([...NODES].sort());
    for (const { name, iconUrl } of shown) {
      expect([name, iconUrl]).toEqual([
        name,
        {
          light: expect.stringContaining('.svg') as string,
          dark: expect.stringContaining('.dark.svg') as string,
        },
      ]);
    }
  });
});
