import type { INodeProperties } from 'n8n-workflow';
import { stepParameters, targetParameters } from '../shared/parameters/target';
import { waitAfterAnswer } from '../shared/parameters/waitAfterAnswer';

/** All parameters of Chord Confirm. */
export const confirmParameters: INodeProperties[] = [
  {
    displayName: 'Decision',
    name: 'decision',
    type: 'options',
    default: 'fromStep',
    description: 'Whether Chord may do what it asked for',
    options: [
      {
        name: 'From Approval Step',
        value: 'fromStep',
        description: 'What a person answered in the step before this node. No answer is never an approval.',
      },
      { name: 'Allow', value: 'allow', description: 'Allow it without asking anybody' },
      { name: 'Deny', value: 'deny', description: 'Refuse it without asking anybody' },
    ],
  },
  ...stepParameters('confirm', { decision: ['fromStep'] }),
  {
    displayName: 'Reason for a Denial',
    name: 'denyReason',
    type: 'string',
    default: '',
    description: 'What the agent is told when it may not. A reason from the approval step goes first.',
    displayOptions: { show: { decision: ['fromStep', 'deny'] } },
  },
  ...targetParameters('confirm'),
  ...waitAfterAnswer,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Edit Summary',
        name: 'editSummary',
        type: 'string',
        default: '',
        description: 'One sentence that tells the agent what was changed in the edited arguments',
      },
      {
        displayName: 'Edited Arguments',
        name: 'editedArguments',
        type: 'json',
        default: '',
        placeholder: 'e.g. {"command": "git push --dry-run"}',
        description:
          'Other arguments for the tool than those that Chord asked for, as JSON. Used when the decision is to allow.',
      },
      {
        displayName: 'Rule Pattern',
        name: 'rulePattern',
        type: 'string',
        default: '',
        placeholder: 'e.g. git push *',
        description:
          'Also allow from now on, without asking, every call of this tool that fits the pattern. * stands for any text, ? for one character. A lone * allows everything.',
      },
      {
        displayName: 'Rule Scope',
        name: 'ruleScope',
        type: 'options',
        default: 'session',
        description: 'Where the rule holds',
        options: [
          { name: 'Everywhere', value: 'user_global', description: 'In all projects of this user, for good' },
          { name: 'This Project', value: 'project', description: 'In this project, for good' },
          { name: 'This Session', value: 'session', description: 'Until this conversation ends' },
        ],
      },
    ],
  },
];
