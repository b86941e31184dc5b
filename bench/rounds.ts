import { tellProgress } from './topic';

/**
 * Measures all sides in turns, so that whatever else the machine does meets all; who is first changes each time. The
 * first round is not counted: it warms the compiler and the caches.
 */
export async function interleave<Side extends string, Value>(
  count: number,
  sides: Record<Side, () => Promise<Value>>,
): Promise<Record<Side, Value>[]> {
  const names = Object.keys(sides) as Side[];
  const rounds: Record<Side, Value>[] = [];
  for (let round = 0; round <= count; round += 1) {
    tellProgress(round === 0 ? 'warming up' : `round ${round} of ${count}`);
    const values: Partial<Record<Side, Value>> = {};
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      values[name] = await clean(sides[name]);
    }
    rounds.push(values as Record<Side, Value>);
  }
  return rounds.slice(1);
}

/**
 * Runs one side without the others' fresh garbage. A whole collection would also throw away what was compiled for a
 * side that has not run lately, again and again (measured), which does not happen in a running n8n.
 */
async function clean<Value>(side: () => Promise<Value>): Promise<Value> {
  globalThis.gc?.({ type: 'minor' });
  return await side();
}
