import type { INodeExecutionData } from 'n8n-workflow';
import type { ItemOutputs } from '../shared/run/runItems';

const personNeeded =
  "Chord has not finished: it is waiting for a person's decision, which this tool cannot give. Tell the user what Chord is asking for, and that a person has to decide.";

/** An agent sees the first output only (measured): what leaves "Needs Decision" goes there, with a word about it. */
export const toolOutputs = ([finished = [], needsDecision = []]: ItemOutputs): ItemOutputs => {
  const explained = needsDecision.map(
    (item): INodeExecutionData => ({
      ...item,
      json: { note: personNeeded, ...item.json },
    }),
  );
  return [[...finished, ...explained], []];
};
