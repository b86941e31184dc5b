import { setTimeout as pass } from 'node:timers/promises';
import { until } from '../../support/until';
import { type Child, type Exit } from './Child';
import { PATIENCE } from './Heard';
import { Normaliser, translated, type Row } from './recording';

/** Pauses of the recorded client that belong to what was recorded ("cancel 600 ms after the text began"). */
const PAUSE = 100;

/** What a recording says and what the simulator did, both with ids, times, paths and ports taken out. */
export interface Replay {
  expected: Story;
  got: Story;
}

/** All that is seen of a process. */
interface Story {
  out: string[];
  err: string[];
  exit: Exit | undefined;
}

/**
 * Whether a client wrote its last line and left in the same moment. Then the process must find both at once: which of
 * the two was first there would be up to the machine's load otherwise.
 */
const leavesAtOnce = (row: Row, next: Row | undefined): boolean =>
  row.dir === 'in' && next?.dir === 'note' && next.line === 'stdin closed' && next.t_ms === row.t_ms;

/** A client's act that a recording only notes. */
function act(child: Child, note: string): void {
  if (note === 'stdin closed') child.leave();
  const signal = /^signal (\w+)$/.exec(note)?.[1];
  if (signal) child.process.kill(signal as NodeJS.Signals);
}

/**
 * Plays the client's side of a recording: each stdin line goes in when all lines that stood before it have come out.
 *
 * `normalisers` carry ids from one process of a recorded series to the next one.
 */
export async function replay(
  child: Child,
  rows: Row[],
  normalisers: { recorded: Normaliser; actual: Normaliser },
  options: { until?: (row: Row) => boolean } = {},
): Promise<Replay> {
  const { recorded, actual } = normalisers;
  const expected: Story = { out: [], err: [], exit: undefined };
  const got: Story = { out: [], err: [], exit: undefined };
  const take = (count: number) =>
    got.out.push(...child.raw.slice(got.out.length, count).map((line) => actual.normal(line)));
  const catchUp = async () => {
    const what = `line ${expected.out.length}: ${expected.out.at(-1)}`;
    await until(() => child.raw.length >= expected.out.length || child.exit, { ...PATIENCE, what });
    take(expected.out.length);
  };
  let at = 0;
  for (const [index, row] of rows.entries()) {
    if (options.until?.(row)) break;
    if (row.dir === 'out') expected.out.push(recorded.normal(row.line!));
    if (row.dir === 'err') expected.err.push(recorded.normal(row.line!));
    if (row.dir === 'note') {
      await catchUp();
      act(child, row.line!);
    }
    if (row.dir === 'in') {
      await catchUp();
      if (row.t_ms - at >= PAUSE) await pass(row.t_ms - at);
      if (leavesAtOnce(row, rows[index + 1])) await child.hold();
      child.send(translated(row.line!, recorded, actual));
    }
    if (row.dir === 'exit') {
      await catchUp();
      expected.exit = { code: row.code ?? null, signal: (row.signal ?? null) as NodeJS.Signals | null };
      if (row.signal) child.process.kill(row.signal as NodeJS.Signals);
      got.exit = await child.end();
    }
    at = row.t_ms;
  }
  await catchUp();
  if (got.exit) take(child.raw.length);
  got.err = child.stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => actual.normal(line));
  return { expected, got };
}
