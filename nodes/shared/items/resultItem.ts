import type { INodeExecutionData } from 'n8n-workflow';
import { textsOf, type ResultDocument, type SessionDocument } from '../../../chord';
import { itemImages, type PrepareBinary } from './images';
import { asJson } from './json';

/** A finished call as an item of "Finished". */
export const resultItem = async (
  result: ResultDocument,
  prepare: PrepareBinary,
): Promise<INodeExecutionData> => {
  const { facts, binary } = await itemImages(result.turn?.images ?? [], prepare);
  const json = asJson({
    ...result,
    turn: result.turn && { ...result.turn, images: facts },
  });
  return binary ? { json, binary } : { json };
};

/** An item that was not worked on, because an earlier one left a request open that a person has to decide first. */
export const skippedItem = (session: SessionDocument, reason: string): INodeExecutionData => {
  const result: ResultDocument = {
    outcome: 'skipped',
    ...textsOf(reason),
    text: '',
    session,
    turn: null,
    usage: null,
    reason,
  };
  return { json: asJson(result) };
};
