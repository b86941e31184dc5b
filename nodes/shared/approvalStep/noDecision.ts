import { ChordError } from '../../../chord';

/** The error for a step whose result decides nothing, which never counts as an approval. */
export const noDecision = (message: string, description: string) =>
  new ChordError('no_decision', message, { description });

/** How a value is named in an error: short, and never a whole document. */
export const shown = (value: unknown): string =>
  typeof value === 'object' ? 'a list or object' : `"${String(value).slice(0, 60)}"`;
