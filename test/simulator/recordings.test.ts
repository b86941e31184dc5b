import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Child } from './support/child';
import { LAB, labFile, projectConfig, sandbox } from './support/lab';
import { byAgent, FREE_ORDER } from './support/order';
import { Normaliser, recording, RECORDINGS } from './support/recording';
import { replay } from './support/replay';

interface Driver {
  project_config?: string;
  steps: { checkFile?: { path: string; exists?: boolean; equals?: string; contains?: string } }[];
}

const names = readdirSync(RECORDINGS)
  .filter((file) => file.endsWith('.jsonl') && !file.startsWith('process-'))
  .map((file) => file.replace('.jsonl', ''));

/** The lab's driver also looked at files: the tools have to have run. */
function checkFiles(driver: Driver, work: string): void {
  for (const { checkFile } of driver.steps) {
    if (!checkFile) continue;
    const path = join(work, checkFile.path);
    expect({ path, exists: existsSync(path) }).toEqual({ path, exists: true });
    if (checkFile.equals !== undefined) expect(readFileSync(path, 'utf8')).toBe(checkFile.equals);
    if (checkFile.contains !== undefined) expect(readFileSync(path, 'utf8')).toContain(checkFile.contains);
  }
}

describe('recordings of the real Chord, replayed on the simulator', () => {
  it('has all 33', () => expect(names).toHaveLength(33));

  it.concurrent.each(names)(
    '%s',
    async (name) => {
      const driver = labFile<Driver>('drivers', name);
      const box = sandbox({
        CHORD_SIMULATOR_PROFILE: 'd1',
        CHORD_SIMULATOR_SCENARIO: resolve(LAB, 'scenarios', `${name}.json`),
      });
      if (driver.project_config) projectConfig(box, driver.project_config);
      const child = new Child(box);
      try {
        const actual = new Normaliser(box.places);
        const { expected, got } = await replay(child, recording(name), {
          recorded: new Normaliser(),
          actual,
        });
        if (FREE_ORDER.has(name)) expect(byAgent(got.out)).toEqual(byAgent(expected.out));
        else expect(got.out).toEqual(expected.out);
        expect({ err: got.err, exit: got.exit }).toEqual({ err: expected.err, exit: expected.exit });
        checkFiles(driver, box.work);
      } finally {
        child.kill();
        box.remove();
      }
    },
    30_000,
  );
});
