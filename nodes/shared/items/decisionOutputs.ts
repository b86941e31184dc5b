import type { INodeExecutionData } from 'n8n-workflow';
import type { DecisionResult } from '../../../chord';
import type { ItemOutputs } from '../runItems';
import { callOutputs } from './callOutputs';
import type { PrepareBinary } from './images';
import { asJson } from './json';

/** What a responder came to, as items: without waiting the input's own item and the decision, else Send's shape. */
export const decisionOutputs = async (
  { decision, session, after }: DecisionResult,
  input: INodeExecutionData | undefined,
  prepare: PrepareBinary,
): Promise<ItemOutputs> => {
  if (after) return await callOutputs(after, prepare, decision);
  const json = { ...input?.json, outcome: 'sent', session: asJson(session), decision: asJson(decision) };
  return [[input?.binary ? { json, binary: input.binary } : { json }], []];
};
