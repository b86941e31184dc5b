import type { IExecuteFunctions } from 'n8n-workflow';
import type { DecisionResult } from '../../chord';
import { answerCall, itemParameters } from '../shared/execution';
import { readConnection } from '../shared/settings/connection';
import { continueSession } from '../shared/settings/session';
import { callSession } from '../shared/suspend/callSession';
import { TargetFinder } from '../shared/upstream/TargetFinder';
import { readQuestionSettings } from './settings';

/**
 * Answers the question of one item. Everything is read and checked before anything is written.
 *
 * A newer Chord keeps its questions over the end of the process, so the session is continued where none runs; never
 * another one than the one that asked.
 */
export const questionItem = async (
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<DecisionResult> => {
  const connection = await readConnection(context, itemIndex);
  const {
    target: choice,
    answer,
    waitMode,
  } = readQuestionSettings(itemParameters(context, itemIndex), connection);
  return await callSession(context, itemIndex, waitMode, async () => {
    const finder = new TargetFinder(context, itemIndex, connection, choice, 'question');
    const { open, ...target } = await finder.find();
    return {
      open: { ...open, process: 'on_demand', start: continueSession },
      work: (session, control) =>
        session.answer({ ...answer, ...target, ...answerCall(context, itemIndex) }, control),
    };
  });
};
