import type { INodeProperties } from 'n8n-workflow';
import { locator } from '../shared/parameters/locator';
import { stepParameters, targetParameters } from '../shared/parameters/target';
import { waitAfterAnswer } from '../shared/parameters/waitAfterAnswer';

/** All parameters of Chord Handoff. */
export const handoffParameters: INodeProperties[] = [
  {
    displayName: 'Decision',
    name: 'decision',
    type: 'options',
    default: 'fromStep',
    description: 'What becomes of the plan',
    options: [
      { name: 'Approve', value: 'approve', description: 'An agent carries the plan out' },
      { name: 'Cancel', value: 'cancel', description: 'Drop the plan; no work follows' },
      { name: 'Deny', value: 'deny', description: 'Send the plan back; the agent works on it again' },
      {
        name: 'From Approval Step',
        value: 'fromStep',
        description: 'What a person decided in the step before this node. No answer is never an approval.',
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
      'Which of the offered agents carries the plan out. Leave empty for the one that Chord marks, or the only one. An agent from the approval step goes first.',
    displayOptions: { show: { decision: ['fromStep', 'approve'] } },
  }),
  locator({
    displayName: 'Model Pool',
    name: 'pool',
    search: 'searchOfferedPools',
    placeholder: 'e.g. thinking',
    description:
      'Which of its model pools the agent uses from then on. Leave empty for the present one. A pool from the approval step goes first.',
    displayOptions: { show: { decision: ['fromStep', 'approve'] } },
  }),
  {
    displayName: 'Reason for a Denial',
    name: 'denyReason',
    type: 'string',
    default: '',
    description: 'What the agent is told about the plan. A reason from the approval step goes first.',
    displayOptions: { show: { decision: ['fromStep', 'deny'] } },
  },
  ...targetParameters('handoff'),
  ...waitAfterAnswer,
];
