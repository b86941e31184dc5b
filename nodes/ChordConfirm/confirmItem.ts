import type { IExecuteFunctions } from 'n8n-workflow';
import type { DecisionResult } from '../../chord';
import { answerCall, itemParameters } from '../shared/execution';
import { readConnection } from '../shared/settings/connection';
import { callSession } from '../shared/suspend/callSession';
import { TargetFinder } from '../shared/upstream/TargetFinder';

import { readConfirmSettings } from './settings';

/** Answers the request of one item. Everything is read and checked before anything is written. */
export const confirmItem = async (context: IExecuteFunctions, itemIndex: number): Promise<DecisionResult> => {
  const connection = await readConnection(context, itemIndex);
  const {
    target: choice,
    decision,
    waitMode,
  } = readConfirmSettings(itemParameters(context, itemIndex), connection);
  return await callSession(context, itemIndex, waitMode, async () => {
    const finder = new TargetFinder(context, itemIndex, connection, choice, 'confirm');
    const { open, ...target } = await finder.find();
    return {
      open,
      work: (session, control) =>
        session.confirm({ ...decision, ...target, ...answerCall(context, itemIndex) }, control),
    };
  });
};
