import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ItemOutputs } from '../shared/runItems';

/** True when an AI agent runs the node. `isToolExecution()` is not there in n8n 1.123 and false in agent v3 (measured). */
export const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');

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
