/** What one topic has found. All numbers are medians over the rounds unless their name says otherwise. */
export interface Measurement {
  /** The line of the table. */
  title: string;
  /** What the numbers mean and how they were taken. */
  meaning: string;
  /** Of `ours` and `baseline`. */
  unit: string;
  ours: number;
  /** The same work without this package, measured in the same run. */
  baseline: number;
  /** What the target speaks of: the median of `rounds`. */
  result: number;
  /** Of `result`, `target` and `rounds`. */
  resultUnit: string;
  target: Target;
  /** The result of each round, in order. */
  rounds: number[];
  /** Further numbers that help to understand a missed target. */
  more: Record<string, number>;
}

/** What a result must reach. */
type Target = { atLeast: number } | { under: number };

/** Whether the result is what the target asks for. */
export const isMet = ({ result, target }: Measurement): boolean =>
  'atLeast' in target ? result >= target.atLeast : result < target.under;

/** The target in words. */
export const targetText = ({ target, resultUnit }: Measurement): string =>
  'atLeast' in target ? `at least ${target.atLeast} ${resultUnit}` : `under ${target.under} ${resultUnit}`;
