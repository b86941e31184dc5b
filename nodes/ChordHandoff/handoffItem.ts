import type { IExecuteFunctions } from 'n8n-workflow';
import type { DecisionResult } from '../../chord';
import { answerCall, itemParameters } from '../shared/execution';
import { readConnection } from '../shared/settings/connection';
import { callSession } from '../shared/suspend/callSession';
import { TargetFinder } from '../shared/upstream/TargetFinder';
import { readHandoffSettings } from './settings';

/** Decides on the plan of one item. Everything is read and checked before anything is written. */
export const handoffItem = async (context: IExecuteFunctions, itemIndex: number): Promise<DecisionResult> => {
  const connection = await readConnection(context, itemIndex);
  const {
    target: choice,
    decision,
    waitMode,
  } = readHandoffSettings(itemParameters(context, itemIndex), connection);
  return await callSession(context, itemIndex, waitMode, async () => {
    const finder = new TargetFinder(context, itemIndex, connection, choice, 'handoff');
    const { open, ...target } = await finder.find();
    return {
      open,
      work: (session, control) =>
        session.handoff({ ...decision, ...target, ...answerCall(context, itemIndex) }, control),
    };
  });
};
