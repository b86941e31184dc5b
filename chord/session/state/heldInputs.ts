/** Below this no projection of a queue lies: what is deeper is some input's own content. */
const deepest = 6;

const isHeld = (entry: object): boolean => Object.values(entry).includes('restored_held');

/**
 * How many inputs Chord has restored and holds back until the next message; `null` where it shows no queue, which means
 * that nobody knows. An empty queue means none. The fields are not proved (no build with them was measured), so all that
 * is read is the word, wherever an entry of some list has it.
 *
 * @param projection the payload of `input_queue_changed`, or what a status says of the queue
 */
export function heldInputs(projection: unknown): number | null {
  const lists = listsIn(projection, 0);
  if (lists.length === 0) return null;
  return lists.flat().filter((entry) => typeof entry === 'object' && entry !== null && isHeld(entry)).length;
}

function listsIn(value: unknown, depth: number): unknown[][] {
  if (Array.isArray(value)) return [value];
  if (typeof value !== 'object' || value === null || depth === deepest) return [];
  return Object.values(value).flatMap((part) => listsIn(part, depth + 1));
}
