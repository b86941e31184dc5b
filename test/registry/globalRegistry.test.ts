import type { ChordRegistry } from '../../chord/registry/contract';
import { getRegistry, registryVersion } from '../../chord/registry/globalRegistry';
import { Registry } from '../../chord/registry/Registry';

const slot = Symbol.for('n8n-nodes-chord.registry');

test('all copies of the package share the first registry', () => {
  const globals = {};
  const first = getRegistry(() => new Registry(), globals);
  const second = getRegistry(() => {
    throw new Error('a second registry');
  }, globals);
  expect(second).toBe(first);
  expect(globals).toMatchObject({ [slot]: { version: registryVersion, registry: first } });
});

test.each([registryVersion - 1, registryVersion + 1])(
  'a copy that cannot share (version %s) says so and names the other one',
  (version) => {
    const registry = {} as ChordRegistry;
    const globals = { [slot]: { version, loadedFrom: '/n8n/nodes/old/chord/index.js', registry } };
    expect(() => getRegistry(() => new Registry(), globals as object)).toThrow(
      /Another version.*\/n8n\/nodes\/old/,
    );
    expect(globals[slot].registry).toBe(registry);
  },
);
