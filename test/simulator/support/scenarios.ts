import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Child } from './Child';
import { LAB, projectConfig, sandbox } from './lab';
import { byAgent, FREE_ORDER } from './order';
import { Normaliser, rowsIn, type Row } from './recording';
import { replay } from './replay';

/** A folder with scenarios, drivers and what the real Chord did with them. */
export interface Collection {
  cases: string;
  recordings: string;
}

/** The 33 cases of the lab. */
export const GIVEN: Collection = { cases: LAB, recordings: resolve(LAB, '../recordings') };

/** Corners that the lab's cases do not touch. */
export const MEASURED: Collection = {
  cases: resolve(LAB, '../measured'),
  recordings: resolve(LAB, '../measured/recordings'),
};

interface Driver {
  project_config?: string;
  steps: { checkFile?: { path: string; exists?: boolean; equals?: string; contains?: string } }[];
}

/** Names of the recorded scenarios of a collection; process cases are not among them. */
export const recorded = ({ recordings }: Collection): string[] =>
  readdirSync(recordings)
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

/** Replays one recorded scenario on the simulator, which has to do the same. */
export async function replaysAlike({ cases, recordings }: Collection, name: string): Promise<void> {
  const driver = JSON.parse(readFileSync(join(cases, 'drivers', `${name}.json`), 'utf8')) as Driver;
  const rows: Row[] = rowsIn(join(recordings, `${name}.jsonl`));
  const box = sandbox({
    CHORD_SIMULATOR_PROFILE: 'd1',
    CHORD_SIMULATOR_SCENARIO: join(cases, 'scenarios', `${name}.json`),
  });
  if (driver.project_config) projectConfig(box, driver.project_config);
  const child = new Child(box);
  try {
    const normalisers = { recorded: new Normaliser(), actual: new Normaliser(box.places) };
    const { expected, got } = await replay(child, rows, normalisers);
    if (FREE_ORDER.has(name)) expect(byAgent(got.out)).toEqual(byAgent(expected.out));
    else expect(got.out).toEqual(expected.out);
    expect({ err: got.err, exit: got.exit }).toEqual({ err: expected.err, exit: expected.exit });
    checkFiles(driver, box.work);
  } finally {
    child.kill();
    box.remove();
  }
}
