import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { SessionDocument } from '../../../chord';
import { answerItem } from './answerItem';
import type { Answering } from './answering';
import { comesFromStart, isEmptyItem } from './execution';
import { decisionOutputs, notDecidedOutputs } from '../items/decisionOutputs';
import { prepareBinaryOf } from '../items/prepareBinary';
import { skippedItem } from '../items/resultItem';
import { asChordError } from '../errors/nodeError';
import { noteRefused, type AskedRequest } from './noteRefused';
import { runItems } from './runItems';
import { Suspended } from '../suspend/Suspended';

/** What is no failure must not look like one. */
const passOn = (error: unknown): never => {
  throw error instanceof Suspended ? error : asChordError(error);
};

/**
 * The run of every node that answers a request.
 *
 * - Empty items that *Always Output Data* put on a branch where there was nothing are left out: on the approving branch
 *   of an IF such an item would approve what the person refused.
 * - A decision that this node refuses stands in the audit, as those do that a session refuses.
 * - Once an item has led to a new request, a later item that fails is `skipped` with the reason: an error would end the
 *   run, and the request would be lost.
 *
 * @param kinds the kinds of requests that the node answers
 */
export const runResponder = async (
  context: IExecuteFunctions,
  kinds: readonly [Answering, ...Answering[]],
): Promise<INodeExecutionData[][]> => {
  const prepare = prepareBinaryOf(context);
  const input = context.getInputData();
  const onlyKind = kinds.length === 1 ? kinds[0].kind : null;
  let undecided: SessionDocument | undefined;
  return await runItems(context, 2, async (itemIndex) => {
    const item = input[itemIndex];
    if (item && isEmptyItem(item) && !comesFromStart(context)) return [];
    let asked: AskedRequest = { kind: onlyKind, id: '', sessionKey: '' };
    try {
      const result = await answerItem(context, itemIndex, kinds, (found) => {
        asked = found;
      });
      if ('notDecided' in result) return notDecidedOutputs(item, result.notDecided);
      if (result.after?.kind === 'needs_decision') undecided = result.session;
      return await decisionOutputs(result, item, prepare);
    } catch (error) {
      await noteRefused(context, asked, error);
      if (!undecided || error instanceof Suspended || context.continueOnFail()) return passOn(error);
      return [[skippedItem(undecided, asChordError(error).message)]];
    }
  });
};
