/**
 * How deep what Chord writes may nest. Node's own `structuredClone` and `JSON.stringify`, which n8n uses on every item,
 * fail somewhat over 3,000 levels (measured), and nothing that a person reads nests half as deep as this.
 */
export const maximumDepth = 200;

/** Whether a value nests deeper than `levels`. */
export function nestsDeeper(value: unknown, levels = maximumDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}
