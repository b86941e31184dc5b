import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { until } from '../support/until';
import { Child, PATIENCE } from './support/child';
import { LAB, labFile, projectConfig, sandbox } from './support/lab';
import { Normaliser, recording, RECORDINGS, translated } from './support/recording';

/** Pauses of the recorded client that belong to what was recorded ("cancel 600 ms after the text began"). */
const PAUSE = 100;

interface Driver {
  project_config?: string;
  steps: { checkFile?: { path: string; exists?: boolean; equals?: string; contains?: string } }[];
}

const names = readdirSync(RECORDINGS)
  .filter((file) => file.endsWith('.jsonl') && !file.startsWith('process-'))
  .map((file) => file.replace('.jsonl', ''));

/** Main agent and SubAgent run at the same time: how their lines interleave is not the same in two runs of Chord either. */
const FREE_ORDER = new Set(['subagent']);

/**
 * For a run of several agents: the lines of each agent in its own order. `agent_started` and `agent_notify` are told
 * by the main loop while the SubAgent already works, so they stand by themselves.
 */
function byAgent(lines: string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const line of lines) {
    const { type, payload } = JSON.parse(line) as { type: string; payload: { agent_id?: string } };
    const told = type === 'agent_started' || type === 'agent_notify';
    const agent = told ? type : payload.agent_id || 'main';
    (lists[agent] ??= []).push(line);
  }
  return lists;
}

function checkFiles(driver: Driver, work: string): void {
  for (const { checkFile } of driver.steps) {
    // A file that a later step changes again is checked by that step.
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
      let child: Child | undefined;
      try {
        if (driver.project_config) projectConfig(box, driver.project_config);
        const running = new Child(box);
        child = running;
        const recorded = new Normaliser();
        const actual = new Normaliser([
          [box.work, '/project'],
          [box.home, '/home/user'],
        ]);
        const expected: string[] = [];
        const got: string[] = [];
        const catchUp = async () => {
          await until(() => running.raw.length >= expected.length || running.exit, {
            ...PATIENCE,
            what: `line ${expected.length}: ${expected.at(-1)}`,
          });
          got.push(...running.raw.slice(got.length, expected.length).map((line) => actual.normal(line)));
        };
        let at = 0;
        for (const row of recording(name)) {
          if (row.dir === 'out') expected.push(recorded.normal(row.line!));
          if (row.dir === 'in') {
            await catchUp();
            if (row.t_ms - at >= PAUSE) await pass(row.t_ms - at);
            running.send(translated(row.line!, recorded, actual));
          }
          if (row.dir === 'exit') {
            await catchUp();
            expect(await running.end()).toEqual({ code: row.code ?? null, signal: null });
          }
          at = row.t_ms;
        }
        got.push(...running.raw.slice(got.length).map((line) => actual.normal(line)));
        if (FREE_ORDER.has(name)) expect(byAgent(got)).toEqual(byAgent(expected));
        else expect(got).toEqual(expected);
        expect(running.stderr).toBe('');
        checkFiles(driver, box.work);
      } finally {
        child?.kill();
        box.remove();
      }
    },
    30_000,
  );
});
