import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemOutputs } from '../shared/run/runItems';

const personNeeded =
  'Chord has not finished: it waits for the decision of a person, which this tool cannot give. Tell the user what Chord asks, and that a person has to decide it.';

/** An agent sees the first output only (measured): what leaves "Needs Decision" goes there, with a word about it. */
export const toolOutputs = ([finished = [], needsDecision = []]: ItemOutputs): ItemOutputs => {
  const told = needsDecision.map(
    (item): INodeExecutionData => ({
      ...item,
      json: { note: personNeeded, ...item.json },
    }),
  );
  return [[...finished, ...told], []];
};
