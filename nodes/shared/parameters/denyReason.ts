import type { INodeProperties } from 'n8n-workflow';

/** Why a responder denies; shown where a denial can come of the decision. */
export const denyReason: INodeProperties = {
  displayName: 'Reason for Denial',
  name: 'denyReason',
  type: 'string',
  default: '',
  description: 'The reason to give the agent. A reason from the approval step takes precedence.',
  displayOptions: { show: { decision: ['fromStep', 'deny'] } },
};
