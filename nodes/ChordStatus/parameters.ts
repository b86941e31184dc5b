import type { INodeProperties } from 'n8n-workflow';
import { sessionParameters } from '../shared/parameters/session';

/** All parameters of Chord Status. */
export const statusParameters: INodeProperties[] = [
  {
    displayName: 'Show',
    name: 'scope',
    type: 'options',
    default: 'session',
    description: 'What to show',
    options: [
      { name: 'One Session', value: 'session', description: 'What one session is doing right now' },
      {
        name: 'All Sessions',
        value: 'all',
        description: 'Every session of this credential that n8n has used since it started, one item each',
      },
      {
        name: 'Decisions',
        value: 'decisions',
        description:
          'Who decided what and when: the last 200 decisions, including refused ones, one item each',
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
        description: 'Whether to add details for troubleshooting: process, last output, counters',
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
        description:
          'Whether to start Chord if it is not running. Otherwise the item says that it is not running.',
      },
    ],
  },
];
