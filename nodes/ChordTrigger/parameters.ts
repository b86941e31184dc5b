import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { catalog } from '../../chord';
import { approvalFormOption } from '../shared/parameters/approvalForm';
import { sessionParameters } from '../shared/parameters/session';

/** Events that a trigger can be set to. `still_working` has no trigger of its own yet. */
const eventChoices: INodePropertyOptions[] = catalog
  .filter(({ name }) => name !== 'still_working')
  .map(({ name, label, description }) => ({
    name: label,
    value: name,
    description: `${description} (${name})`,
  }));

/** All parameters of Chord Trigger. */
export const triggerParameters: INodeProperties[] = [
  {
    displayName: 'Start the Workflow On',
    name: 'preset',
    type: 'options',
    default: 'decisions',
    description: 'Which events in Chord start the workflow',
    options: [
      {
        name: 'Chat',
        value: 'chat',
        description: 'What belongs in a chat: requests, messages and reports as they arrive',
      },
      { name: 'Chosen Events', value: 'custom', description: 'Only the events you choose' },
      {
        name: 'Essentials',
        value: 'essentials',
        description: 'Requests, results, errors and everything else worth knowing, each reported once',
      },
      {
        name: 'Everything',
        value: 'everything',
        description: 'Every single event. There are a lot of them.',
      },
      {
        name: 'Requests for a Decision',
        value: 'decisions',
        description: 'Chord asks for approval, asks a question or has a plan ready',
      },
      {
        name: 'Results',
        value: 'results',
        description: 'Chord has finished its work or a background job has ended',
      },
    ],
  },
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    default: [],
    required: true,
    description: 'Which events start the workflow',
    options: eventChoices,
    displayOptions: { show: { preset: ['custom'] } },
  },
  {
    displayName: 'Test With',
    name: 'testWith',
    type: 'options',
    default: 'live',
    description: 'What "Test step" gives you in the editor. An active workflow always receives real events.',
    options: [
      { name: 'A Real Event', value: 'live', description: 'Wait until something happens in Chord' },
      {
        name: 'A Sample',
        value: 'sample',
        description: 'An example of the chosen event, right away and without Chord',
      },
    ],
  },
  ...sessionParameters(),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      approvalFormOption,
      {
        displayName: 'Emit Open Requests',
        name: 'emitOpenRequests',
        type: 'boolean',
        default: true,
        description:
          'Whether requests that are already open when the workflow is activated start it too. Each request starts it only once.',
      },
      {
        displayName: 'Include Idle Without Work',
        name: 'includeSuppressed',
        type: 'boolean',
        default: false,
        description:
          'Whether to report "Idle" even if no agent has worked before it, for example right after the start',
      },
      {
        displayName: 'Main Agent Only',
        name: 'mainAgentOnly',
        type: 'boolean',
        default: false,
        description: 'Whether to ignore what SubAgents say and do. Their requests are still reported.',
      },
      {
        displayName: 'More Events',
        name: 'extraEvents',
        type: 'multiOptions',
        default: [],
        description: 'Events in addition to those above',
        options: eventChoices,
      },
      {
        displayName: 'Only These Tools',
        name: 'toolNames',
        type: 'string',
        default: '',
        placeholder: 'e.g. shell, write',
        description:
          'Which tools can start this workflow with an approval request. Separate names with commas; leave empty for all tools.',
      },
      {
        displayName: 'Start Chord on Activation',
        name: 'startOnActivation',
        type: 'boolean',
        default: false,
        description:
          'Whether to start Chord when the workflow is activated. Otherwise the first node that needs Chord starts it.',
      },
    ],
  },
];
