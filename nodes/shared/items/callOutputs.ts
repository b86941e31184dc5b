import type { INodeExecutionData } from 'n8n-workflow';
import type { CallResult, DecisionDocument } from '../../../chord';
import type { ItemOutputs } from '../run/runItems';
import { eventItem } from './eventItem';
import type { PrepareBinary } from './images';
import { asJson } from './json';
import { resultItem } from './resultItem';

/** The names of the two outputs of every node that waits for Chord. */
export const outputNames = ['Finished', 'Needs Decision'];

const withDecision = (item: INodeExecutionData, decision?: DecisionDocument): INodeExecutionData =>
  decision ? { ...item, json: { ...item.json, decision: asJson(decision) } } : item;

/**
 * What a waiting call came to, as items for "Finished" and "Needs Decision".
 *
 * @param decision what was decided before the wait; it also says on which request a later one followed
 */
export const callOutputs = async (
  result: CallResult,
  prepare: PrepareBinary,
  decision?: DecisionDocument,
): Promise<ItemOutputs> => {
  if (result.kind === 'finished') {
    return [[withDecision(await resultItem(result.result, prepare), decision)], []];
  }
  const items: INodeExecutionData[] = [];
  for (const event of result.events) items.push(withDecision(await eventItem(event, prepare), decision));
  return [[], items];
};
