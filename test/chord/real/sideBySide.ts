import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LAB, SIMULATOR } from '../../simulator/support/lab';
import { Normaliser } from '../../simulator/support/recording';

/** The real Chord; the suite is only run where it is. */
export function realChord(): string {
  const bin = process.env.CHORD_BIN;
  if (!bin) throw new Error('CHORD_BIN must name the real chord: use `npm run test:chord`');
  return bin;
}

/** A script that is called as Chord is, and runs the simulator as the build that was measured. */
export function simulatorCommand(folder: string, scenario: string): string {
  const file = join(folder, 'chord-simulator');
  const environment = `CHORD_SIMULATOR_PROFILE=d1 CHORD_SIMULATOR_SCENARIO="${scenario}"`;
  writeFileSync(file, `#!/bin/bash\nexec env ${environment} "${SIMULATOR}" "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A folder for what the lab leaves behind, and its removal. */
export function workFolder(): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'side-by-side-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The lab's programs look for their cases beside themselves: a copy of the lab with other cases added. */
export function labWith(cases: string, folder: string): void {
  cpSync(LAB, folder, { recursive: true });
  if (cases !== LAB) {
    for (const kind of ['scenarios', 'drivers'])
      cpSync(join(cases, kind), join(folder, kind), { recursive: true });
  }
}

/** Runs one of the lab's programs. Its exit code does not matter: what it wrote is compared. */
export async function runLab(
  lab: string,
  program: 'run.mjs' | 'edge.mjs',
  bin: string,
  out: string,
  names: string[],
): Promise<void> {
  const args = [join(lab, program), '--bin', bin, '--out', out, ...names];
  await promisify(execFile)(process.execPath, args, { timeout: 150_000 }).catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
  });
}

/** Tokens that the sessions of a run used, the oldest session first. */
function usageIn(state: string): object[] {
  const sessions = join(state, 'sessions');
  const files = readdirSync(sessions).flatMap((project) =>
    readdirSync(join(sessions, project)).map((session) =>
      join(sessions, project, session, 'usage-summary.json'),
    ),
  );
  return files
    .filter((file) => existsSync(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as { usage_total: Record<string, number> })
    .map(({ usage_total: { llm_calls, input_tokens, output_tokens } }) => ({
      llm_calls,
      input_tokens,
      output_tokens,
    }));
}

/** What is compared of one scenario: the lines both ways, stderr, the end, the verdict of the driver, the tokens. */
export interface Seen {
  in: string[];
  out: string[];
  err: string[];
  exit: unknown;
  failures: string[];
  usage: object[];
}

/** Reads what a run of a scenario left behind. */
export function seenIn(out: string, name: string): Seen {
  const folder = join(out, name);
  const state = join(folder, 'home/.local/state/chord');
  const normaliser = new Normaliser([
    [join(folder, 'work'), '/project'],
    [join(folder, 'home'), '/home/user'],
  ]);
  const rows = readFileSync(join(folder, 'transcript.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { dir: string; line?: string; code?: number; signal?: string });
  const lines: Record<string, string[]> = { in: [], out: [], err: [] };
  for (const row of rows) lines[row.dir]?.push(normaliser.normal(row.line ?? ''));
  const { failures } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as {
    failures: string[];
  };
  const end = rows.find((row) => row.dir === 'exit');
  return {
    in: lines.in!,
    out: lines.out!,
    err: lines.err!,
    exit: { code: end?.code, signal: end?.signal },
    failures,
    usage: usageIn(state),
  };
}
