import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { asChordError, nodeError } from '../errors/nodeError';

/**
 * Answers the editor's question for a list: narrows it to what the user typed, and gives errors as n8n shows them.
 *
 * @param search what the user typed
 */
export const listResult = async (
  context: ILoadOptionsFunctions,
  search: string | undefined,
  entries: () => Promise<INodeListSearchItems[]>,
): Promise<INodeListSearchResult> => {
  const wanted = (search ?? '').trim().toLowerCase();
  try {
    const all = await entries();
    return {
      results: all.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted)),
    };
  } catch (error) {
    throw nodeError(context.getNode(), asChordError(error));
  }
};
