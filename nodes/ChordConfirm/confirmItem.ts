import type { IExecuteFunctions } from 'n8n-workflow';
import type { DecisionResult } from '../../chord';
import { callIdOf, itemParameters } from '../shared/execution';
import { readConnection } from '../shared/settings/connection';
import { TargetFinder } from '../shared/upstream/TargetFinder';
import { withSession } from '../shared/withSession';
import { readConfirmSettings } from './settings';

/** Answers the request of one item. Everything is read and checked before anything is written. */
export const confirmItem = async (context: IExecuteFunctions, itemIndex: number): Promise<DecisionResult> => {
  const connection = await readConnection(context, itemIndex);
  const { target: choice, decision } = readConfirmSettings(itemParameters(context, itemIndex), connection);
  const { open, ...target } = await new TargetFinder(
    context,
    itemIndex,
    connection,
    choice,
    'confirm',
  ).find();
  return await withSession(open, (session) =>
    session.confirm(
      { ...decision, ...target, callId: callIdOf(context, itemIndex) },
      { signal: context.getExecutionCancelSignal() },
    ),
  );
};
