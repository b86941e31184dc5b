import type { INodeProperties } from 'n8n-workflow';
import { denyReason } from '../shared/parameters/denyReason';
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
        description:
          'What a person answered in the step before this node. A missing answer never counts as approval.',
      },
      { name: 'Allow', value: 'allow', description: 'Allow it without asking anyone' },
      { name: 'Deny', value: 'deny', description: 'Refuse it without asking anyone' },
    ],
  },
  ...stepParameters('confirm', { decision: ['fromStep'] }),
  denyReason,
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
        description: 'One sentence that tells the agent what you changed in the arguments',
      },
      {
        displayName: 'Edited Arguments',
        name: 'editedArguments',
        type: 'json',
        default: '',
        placeholder: 'e.g. {"command": "git push --dry-run"}',
        description:
          'Arguments for the tool to use instead of those Chord asked for, as JSON. Only used if the decision is to allow.',
      },
      {
        displayName: 'Rule Pattern',
        name: 'rulePattern',
        type: 'string',
        default: '',
        placeholder: 'e.g. git push *',
        description:
          'Also allow, from now on and without asking, every call of this tool that matches the pattern. * stands for any text, ? for any one character. A single * allows everything.',
      },
      {
        displayName: 'Rule Scope',
        name: 'ruleScope',
        type: 'options',
        default: 'session',
        description: 'Where the rule applies',
        options: [
          {
            name: 'Everywhere',
            value: 'user_global',
            description: 'In all projects of this user, permanently',
          },
          { name: 'This Project', value: 'project', description: 'In this project, permanently' },
          { name: 'This Session', value: 'session', description: 'Until this conversation ends' },
        ],
      },
    ],
  },
];
