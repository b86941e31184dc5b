import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const page = read('docs/architecture.md');

/** What stands in backquotes, or first in a box of a diagram, and begins with a folder of this repository. */
const named = [...page.matchAll(/[`"]([a-z]+\/[\w./-]+)[`<"]/g)].map(([, name]) => name!);

/** Links to other pages, without their anchors. */
const linked = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => path.join('docs', target!));

/** A file, and the function in it that a walk comes through. */
const steps = [...page.matchAll(/`([a-z]+\/[\w./-]+\.ts)`(?:, `(\w+)`)/g)].map(([, file, name]) => ({
  file: file!,
  name: name!,
}));

describe('the page of the architecture', () => {
  it('names files and folders that exist', () => {
    expect(named).toContain('chord/session/core/SessionCore.ts');
    expect(linked).toContain('README.md');
    const missing = [...named, ...linked].filter((name) => !existsSync(path.join(root, name)));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names functions that stand in their files', () => {
    expect(steps).toContainEqual({ file: 'chord/session/core/EnvelopeIntake.ts', name: 'accept' });
    const missing = steps.filter(({ file, name }) => !new RegExp(`\\b${name}\\b`).test(read(file)));
    expect(missing).toEqual([]);
  });
});
