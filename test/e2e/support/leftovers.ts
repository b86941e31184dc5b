const open = new Set<() => Promise<unknown>>();

/**
 * Has something closed at the end of the test file, if no test closed it before: also when a `beforeAll` fails halfway,
 * after which an open server would keep jest from ending.
 *
 * @returns closes it now, once
 */
export function closedAtEnd(close: () => Promise<unknown>): () => Promise<void> {
  const once = async () => {
    if (open.delete(once)) await close();
  };
  open.add(once);
  return once;
}

/** Closes what is open, the last one first. One that cannot be closed does not keep the others open. */
export async function closeLeftovers(): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...open].reverse()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
}
