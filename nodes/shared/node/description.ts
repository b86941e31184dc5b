import { NodeConnectionTypes, type INodeTypeDescription } from 'n8n-workflow';
import { outputNames } from '../items/callOutputs';
import { concurrencyHint, formHint, loopHint } from '../parameters/hints';
import { resumeWebhooks } from '../suspend/resumeWebhook';

type Part<Field extends keyof INodeTypeDescription> = Pick<INodeTypeDescription, Field>;

/**
 * What the descriptions of all nodes that work on items have in common. Icon, subtitle, `usableAsTool` and credentials
 * are written out in each node all the same: n8n's lint for community nodes reads them from the node's own text.
 *
 * @param displayName the name that people see, which a new node in a workflow has too
 */
export const actionDescription = (
  displayName: string,
): Part<'displayName' | 'group' | 'version' | 'defaults' | 'inputs'> => ({
  displayName,
  group: ['transform'],
  version: 1,
  defaults: { name: displayName },
  inputs: [NodeConnectionTypes.Main],
});

/** The same for nodes that can wait for Chord: its result leaves on the first output, a request on the second. */
export const waitingDescription = (
  displayName: string,
): ReturnType<typeof actionDescription> & Part<'outputs' | 'outputNames' | 'hints' | 'webhooks'> => ({
  ...actionDescription(displayName),
  outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
  outputNames,
  hints: [loopHint, formHint, concurrencyHint],
  webhooks: resumeWebhooks,
});
