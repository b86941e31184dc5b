/** The smallest value that so many percent of all values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const index = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1);
  return sorted[index] ?? Number.NaN;
}

/** The middle value: half of a machine's noise is on either side of it. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** What the rounds measured of one side, for a figure over all of them: the median of each round's percentile. */
export const medianPercentile = <Side extends string>(
  rounds: readonly Record<Side, readonly number[]>[],
  side: Side,
  percent: number,
): number => median(rounds.map((round) => percentile(round[side], percent)));
