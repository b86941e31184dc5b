import type { INodeProperties } from 'n8n-workflow';
import { locator } from '../shared/parameters/locator';
import { denyReason } from '../shared/parameters/denyReason';
import { stepParameters, targetParameters } from '../shared/parameters/target';
import { waitAfterAnswer } from '../shared/parameters/waitAfterAnswer';

/** All parameters of Chord Handoff. */
export const handoffParameters: INodeProperties[] = [
  {
    displayName: 'Decision',
    name: 'decision',
    type: 'options',
    default: 'fromStep',
    description: 'What to do with the plan',
    options: [
      { name: 'Approve', value: 'approve', description: 'Let an agent carry out the plan' },
      { name: 'Cancel', value: 'cancel', description: 'Drop the plan. No work follows.' },
      { name: 'Deny', value: 'deny', description: 'Send the plan back. The agent revises it.' },
      {
        name: 'From Approval Step',
        value: 'fromStep',
        description:
          'What a person decided in the step before this node. A missing answer never counts as approval.',
      },
    ],
  },
  ...stepParameters('handoff', { decision: ['fromStep'] }),
  locator({
    displayName: 'Agent',
    name: 'agent',
    search: 'searchOfferedAgents',
    placeholder: 'e.g. builder',
    description:
      'Which of the offered agents carries out the plan. Leave empty for the one Chord marks as default, or for the only one. An agent from the approval step takes precedence.',
    displayOptions: { show: { decision: ['fromStep', 'approve'] } },
  }),
  locator({
    displayName: 'Model Pool',
    name: 'pool',
    search: 'searchOfferedPools',
    placeholder: 'e.g. thinking',
    description:
      'Which of its model pools the agent uses from then on. Leave empty to keep the current one. A pool from the approval step takes precedence.',
    displayOptions: { show: { decision: ['fromStep', 'approve'] } },
  }),
  denyReason,
  ...targetParameters('handoff'),
  ...waitAfterAnswer,
];
