/**
 * How deep what Chord writes may nest. Node's own `structuredClone` and `JSON.stringify`, which n8n uses on every item,
 * fail somewhat over 3,000 levels (measured), and nothing that a person reads nests half as deep as this.
 */
const maximumDepth = 200;

/** Whether a value nests deeper than `levels`. */
export function nestsDeeper(value: unknown, levels = maximumDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Without a list of the values: every line of Chord comes through here.
  for (const name in value) {
    if (nestsDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}
