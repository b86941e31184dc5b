import { WAIT_INDEFINITELY, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { ChordError } from '../../../chord';
import { runNameOf } from './execution';
import { asChordError, failedItem, nodeError } from '../errors/nodeError';
import { checkMode, registry } from './registry';
import { Suspended } from '../suspend/Suspended';

/** What one input item came to: the items for each of the node's outputs. */
export type ItemOutputs = INodeExecutionData[][];

const stopped = () =>
  new ChordError('interrupted', 'The execution was stopped before this item was processed.');

/** Hands the execution over to n8n's waiting state. Without a date: at one, n8n would pass the input on as a result. */
const suspend = async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> => {
  await context.putExecutionToWait(WAIT_INDEFINITELY);
  // A copy: with an error output n8n empties the returned list, which would empty the input of the second run.
  return [[...context.getInputData()]];
};

/**
 * What the calls of this run came to is not asked for any more, unless n8n's *Retry On Fail* runs the node again. That it
 * could not be forgotten is no failure of the node.
 */
const forgetCalls = async (context: IExecuteFunctions, failed: boolean): Promise<void> => {
  if (failed && context.getNode().retryOnFail === true) return;
  try {
    await registry().runEnded(runNameOf(context));
  } catch (error) {
    context.logger.debug('What a run had noted could not be cleared.', { reason: String(error) });
  }
};

/**
 * Works on the input items one after the other and keeps what n8n relies on:
 *
 * - every output item is paired with its input item;
 * - with "continue on fail" nothing is ever thrown, not even for a bug: n8n would then send the *input* items on as if
 *   all were well (measured);
 * - when a wait was interrupted, the items after it are not begun;
 * - when an item's call is parked, the run ends; n8n runs the node again with all items when the call has ended.
 */
export const runItems = async (
  context: IExecuteFunctions,
  outputCount: number,
  work: (itemIndex: number) => Promise<ItemOutputs>,
): Promise<INodeExecutionData[][]> => {
  const outputs: INodeExecutionData[][] = Array.from({ length: outputCount }, () => []);
  let interruption: ChordError | undefined;
  let failed = false;
  for (const itemIndex of context.getInputData().keys()) {
    try {
      if (interruption) throw interruption;
      if (context.getExecutionCancelSignal()?.aborted) throw stopped();
      checkMode();
      const items = await work(itemIndex);
      for (const [output, list] of outputs.entries()) {
        list.push(...(items[output] ?? []).map((item) => ({ ...item, pairedItem: { item: itemIndex } })));
      }
    } catch (error) {
      if (error instanceof Suspended) return await suspend(context);
      failed = true;
      if (!context.continueOnFail()) {
        await forgetCalls(context, failed);
        throw nodeError(context.getNode(), error, itemIndex);
      }
      const failure = asChordError(error);
      if (failure.code === 'interrupted') interruption = failure;
      outputs[0]?.push(failedItem(failure, itemIndex));
    }
  }
  await forgetCalls(context, failed);
  return outputs;
};
