import type { INodeProperties } from 'n8n-workflow';
import { sessionParameters } from '../shared/parameters/session';

/** All parameters of Chord Status. */
export const statusParameters: INodeProperties[] = [
  {
    displayName: 'Show',
    name: 'scope',
    type: 'options',
    default: 'session',
    description: 'What to look at',
    options: [
      { name: 'One Session', value: 'session', description: 'What one session is doing now' },
      {
        name: 'All Sessions',
        value: 'all',
        description: 'Every session of this credential that n8n has used since it was started, one item each',
      },
      {
        name: 'Decisions',
        value: 'decisions',
        description: 'Who decided what and when: the last 200 decisions, refused ones too, one item each',
      },
    ],
  },
  ...sessionParameters({ scope: ['session'] }),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show: { scope: ['session'] } },
    options: [
      {
        displayName: 'Include Diagnostics',
        name: 'diagnostics',
        type: 'boolean',
        default: false,
        description: 'Whether to add what helps to find faults: process, last output, counters',
      },
      {
        displayName: 'Include Models',
        name: 'includeModels',
        type: 'boolean',
        default: false,
        description: 'Whether to ask Chord for its model pools',
      },
      {
        displayName: 'Start if Needed',
        name: 'startIfNeeded',
        type: 'boolean',
        default: false,
        description: 'Whether to start Chord if it does not run. Otherwise the item says that it does not.',
      },
    ],
  },
];
