import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { DecisionResult } from '../../../chord';
import type { ItemOutputs } from '../run/runItems';
import { callOutputs } from './callOutputs';
import type { PrepareBinary } from './images';
import { asJson } from './json';

/** The input's own item, json and binary, with what the node has to say beside it. */
const passedOn = (input: INodeExecutionData | undefined, facts: IDataObject): ItemOutputs => {
  const json = { ...input?.json, ...facts };
  return [[input?.binary ? { json, binary: input.binary } : { json }], []];
};

/** What a responder came to, as items: without waiting the input's own item and the decision, else Send's shape. */
export const decisionOutputs = async (
  { decision, session, after }: DecisionResult,
  input: INodeExecutionData | undefined,
  prepare: PrepareBinary,
): Promise<ItemOutputs> => {
  if (after) return await callOutputs(after, prepare, decision);
  return passedOn(input, { outcome: 'sent', session: asJson(session), decision: asJson(decision) });
};

/** Nothing was decided: the input's own item, and why. */
export const notDecidedOutputs = (input: INodeExecutionData | undefined, reason: string): ItemOutputs =>
  passedOn(input, { outcome: 'skipped', reason });
