import { isMainAgent } from '../../chord/protocol/agents';
import { catalog, catalogEntry, presets } from '../../chord/protocol/catalog';

test('every name stands once, with words for people', () => {
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
  for (const { label, description } of catalog) {
    expect(label).not.toContain('_');
    expect(description).toMatch(/\.$/);
  }
});

test('presets are made of events that exist', () => {
  for (const events of Object.values(presets)) {
    for (const name of events === 'all' ? [] : events) expect(catalogEntry(name)).toBeDefined();
  }
});

test('nothing is told twice: the essentials have the turn, not its messages and reports', () => {
  expect(presets.essentials).toContain('turn_finished');
  expect(presets.essentials).not.toContain('assistant_message');
  expect(presets.essentials).not.toContain('done_completion');
  expect(presets.chat).not.toContain('turn_finished');
});

test('B69: a name that this Chord never sends is none of the catalog', () => {
  expect(catalogEntry('tool_result')).toBeUndefined();
});

test.each([
  ['', true],
  ['main', true],
  ['main-1', true],
  ['helper-1', false],
  ['maintainer', false],
  ['main-x', false],
])('%j is the main agent: %s', (id, main) => {
  expect(isMainAgent(id)).toBe(main);
});
