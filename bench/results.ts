import { isMet, targetText, type Measurement } from './Measurement';

/** Four digits are more than a noisy machine has to say. */
const rounded = (value: number): number => Number(value.toPrecision(4));

const numbers = (record: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, rounded(value)]));

/** The results as the committed file holds them. */
export function resultsFile(found: Partial<Record<string, Measurement>>): string {
  const results = Object.entries(found).map(([topic, item]) => [
    topic,
    item && {
      title: item.title,
      meaning: item.meaning,
      result: `${rounded(item.result)} ${item.resultUnit}`,
      target: targetText(item),
      met: isMet(item),
      unit: item.unit,
      ours: rounded(item.ours),
      baseline: rounded(item.baseline),
      result_of_each_round: item.rounds.map(rounded),
      ...(Object.keys(item.more).length > 0 && { more: numbers(item.more) }),
    },
  ]);
  return `${JSON.stringify({ note, node: process.version, platform: process.platform, results: Object.fromEntries(results) as unknown }, null, 2)}\n`;
}

const note =
  'Written by npm run bench. Both sides were measured in the same run, in turns; every number is the median over the rounds. Only results, which are ratios and differences, say something on another machine.';

/** The results for a terminal. */
export function table(found: Measurement[]): string {
  const rows = found.map((item) => [
    item.title,
    `${rounded(item.ours)} ${item.unit}`,
    `${rounded(item.baseline)} ${item.unit}`,
    `${rounded(item.result)} ${item.resultUnit}`,
    targetText(item),
    isMet(item) ? '✓ met' : '✗ missed',
  ]);
  const all = [['', 'ours', 'baseline', 'result', 'target', ''], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
