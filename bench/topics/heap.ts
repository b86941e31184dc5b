import { setTimeout as pause } from 'node:timers/promises';
import { getRegistry, type ChordSession } from '../../chord';
import { writeChordConfiguration } from '../../rig/chordConfiguration';
import { BareChild } from '../BareChild';
import type { Measurement } from '../Measurement';
import { holdSession } from '../ours';
import { simulator } from '../programs';
import { interleave } from '../rounds';
import { median } from '../statistics';
import { runTopic } from '../topic';

const rounds = 3;
const sessions = 50;
/** So many start at the same time: more would only wait for each other. */
const startedAtOnce = 5;

/** Bytes in use: the heap, and buffers that lie beside it. */
interface Used {
  heap: number;
  outside: number;
}

async function used(): Promise<Used> {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc?.();
    await pause(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external };
}

/** What each of the sessions adds, in megabytes. */
async function each<Session>(
  open: (name: string) => Promise<Session>,
  close: (session: Session) => Promise<void>,
): Promise<Used> {
  const before = await used();
  const opened: Session[] = [];
  while (opened.length < sessions) {
    const names = Array.from({ length: startedAtOnce }, (_, index) => `heap-${opened.length + index}`);
    opened.push(...(await Promise.all(names.map(open))));
  }
  const after = await used();
  await Promise.all(opened.map(close));
  const share = (bytes: number) => bytes / sessions / 1e6;
  return { heap: share(after.heap - before.heap), outside: share(after.outside - before.outside) };
}

async function measure(): Promise<Measurement> {
  const directory = process.cwd();
  await writeChordConfiguration(process.env.CHORD_CONFIG_HOME ?? directory);
  const results = await interleave(rounds, {
    ours: () =>
      each(
        (name) => holdSession(simulator(), directory, name, () => undefined),
        async (session: ChordSession) => {
          await session.release();
          await getRegistry().stop(session.key, { force: true });
        },
      ),
    baseline: () =>
      each(
        async () => {
          const child = new BareChild(simulator(), directory);
          await child.ready;
          return child;
        },
        (child) => child.stop(),
      ),
  });
  const all = results.map(({ ours }) => ours.heap + ours.outside);
  return {
    title: 'heap of an idle session',
    meaning:
      'What each of 50 sessions of an idle simulator, with one listener, adds to heap and buffers of this process after garbage collection; compared with 50 bare child processes. The target is for all of it, not for the difference.',
    unit: 'MB',
    ours: median(all),
    baseline: median(results.map(({ baseline }) => baseline.heap + baseline.outside)),
    result: median(all),
    resultUnit: 'MB each',
    target: { under: 1.5 },
    rounds: all,
    more: { heap_only: median(results.map(({ ours }) => ours.heap)) },
  };
}

void runTopic(measure);
