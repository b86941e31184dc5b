import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { DecidedBy, OpenRequest } from '../../../chord';
import { ParameterReader } from '../settings/ParameterReader';

/** The parameters of one item, expressions evaluated for it. */
export const itemParameters = (context: IExecuteFunctions, itemIndex: number): ParameterReader =>
  new ParameterReader((name, fallback): unknown => context.getNodeParameter(name, itemIndex, fallback));

/** Which run of the node this is in its execution, from 0: in a loop a node runs several times. */
export const runIndexOf = (context: IExecuteFunctions, itemIndex: number): number => {
  const { $runIndex: run } = context.getWorkflowDataProxy(itemIndex);
  return typeof run === 'number' ? run : 0;
};

/** Names a run of a node in its execution. */
export const runNameOf = (context: IExecuteFunctions, itemIndex = 0): string =>
  [context.getExecutionId(), context.getNode().id, runIndexOf(context, itemIndex)].join('/');

/**
 * Names a call over n8n's repeated tries: execution, node, run and item. n8n's *Retry On Fail* runs the node again with
 * the same ones, and what was written must not be written twice.
 */
export const callIdOf = (context: IExecuteFunctions, itemIndex: number): string =>
  `${runNameOf(context, itemIndex)}/${itemIndex}`;

/** Where in n8n a decision was made, for the audit. */
export const deciderOf = (context: IExecuteFunctions): DecidedBy => {
  const { name, id } = context.getWorkflow();
  return {
    workflow_id: id ?? '',
    workflow: name ?? '',
    execution_id: context.getExecutionId(),
    node: context.getNode().name,
  };
};

/** What every answer to a request says of the call that it is. */
export const answerCall = (context: IExecuteFunctions, itemIndex: number) => ({
  callId: callIdOf(context, itemIndex),
  by: deciderOf(context),
});

/** Who holds a lease, as Status and errors show it. */
const holderOf = (context: IExecuteFunctions): string => {
  const { name, id } = context.getWorkflow();
  return `${context.getNode().name} in workflow ${name ?? id ?? ''}, execution ${context.getExecutionId()}`;
};

/** Who opens a session: as Status and errors show it, and, in a test run of the editor, that a person looks on. */
export const openedBy = (context: IExecuteFunctions): Pick<OpenRequest, 'holder' | 'attended'> => ({
  holder: holderOf(context),
  ...(context.getMode() === 'manual' && { attended: context.getExecutionId() }),
});

/** n8n's *Always Output Data* makes such items where there was nothing: never a result, a decision or a request. */
export const isEmptyItem = ({ json, binary }: INodeExecutionData): boolean =>
  Object.keys(json).length === 0 && Object.keys(binary ?? {}).length === 0;

/**
 * True when the incoming items come from a node without a node before it, such as n8n's Manual Trigger, whose items are
 * empty by nature.
 */
export const comesFromStart = (context: IExecuteFunctions): boolean => {
  const previous = context.getExecuteData().source?.main?.[0]?.previousNode;
  return previous === undefined || context.getParentNodes(previous).length === 0;
};
