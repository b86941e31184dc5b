import { tellProgress } from './topic';

/** What both sides came to in one round. */
export interface Round<Value> {
  ours: Value;
  baseline: Value;
}

/**
 * Measures both sides in turns, so that whatever else the machine does meets both; who is first changes each time.
 * The first round is not counted: it warms the compiler and the caches.
 */
export async function interleave<Value>(
  count: number,
  sides: { ours: () => Promise<Value>; baseline: () => Promise<Value> },
): Promise<Round<Value>[]> {
  const rounds: Round<Value>[] = [];
  for (let round = 0; round <= count; round += 1) {
    tellProgress(round === 0 ? 'warming up' : `round ${round} of ${count}`);
    if (round % 2 === 0) {
      const ours = await clean(sides.ours);
      rounds.push({ ours, baseline: await clean(sides.baseline) });
    } else {
      const baseline = await clean(sides.baseline);
      rounds.push({ ours: await clean(sides.ours), baseline });
    }
  }
  return rounds.slice(1);
}

/** Runs one side on a heap without the other one's garbage. */
async function clean<Value>(side: () => Promise<Value>): Promise<Value> {
  globalThis.gc?.();
  return await side();
}
