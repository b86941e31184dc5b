import { readdirSync } from 'node:fs';
import path from 'node:path';

import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { projectRoot } from '../../rig/projectRoot';

const names = readdirSync(path.join(projectRoot, 'examples'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

const CREDENTIALS = { chordHeadlessApi: { id: 'c1', name: 'Chord' }, smtp: { id: 'c2', name: 'Mail' } };

describe.each(names)('the example %s', (name) => {
  test('is whole: ids are unique and every connection ends at a node', async () => {
    const { nodes, connections } = await exampleWorkflow(name, {});
    const known = nodes.map((node) => node.name);
    expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
    expect(known).toEqual(expect.arrayContaining(Object.keys(connections)));
    const ends = Object.values(connections).flatMap(({ main = [] }) => main.flatMap((links) => links ?? []));
    expect(known).toEqual(expect.arrayContaining(ends.map((link) => link.node)));
  });

  test('brings no credentials of its own and takes those that it is given', async () => {
    const bare = await exampleWorkflow(name, {});
    expect(bare.nodes.filter((node) => node.credentials)).toEqual([]);
    const given = await exampleWorkflow(name, CREDENTIALS);
    const chord = given.nodes.filter((node) => node.type.startsWith('n8n-nodes-chord.'));
    expect(chord.length).toBeGreaterThan(0);
    for (const node of chord)
      expect(node.credentials).toEqual({ chordHeadlessApi: CREDENTIALS.chordHeadlessApi });
  });
});
