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
    description: 'What has to happen in Chord',
    options: [
      {
        name: 'Chat',
        value: 'chat',
        description: 'What belongs into a chat: requests, messages and reports as they come',
      },
      { name: 'Chosen Events', value: 'custom', description: 'Only the events that you choose' },
      {
        name: 'Essentials',
        value: 'essentials',
        description: 'Requests, results, errors and everything else worth knowing, nothing twice',
      },
      { name: 'Everything', value: 'everything', description: 'Every single event. Very many.' },
      {
        name: 'Requests for a Decision',
        value: 'decisions',
        description: 'Chord asks for approval, asks a question, or has a plan ready',
      },
      {
        name: 'Results',
        value: 'results',
        description: 'Chord has finished its work, or a background job has ended',
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
    description: 'What "Test step" in the editor gives. An active workflow always gets real events.',
    options: [
      { name: 'A Real Event', value: 'live', description: 'Wait until it happens in Chord' },
      {
        name: 'A Sample',
        value: 'sample',
        description: 'An example of the chosen event, at once and without Chord',
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
          'Whether requests that are open already when the workflow becomes active start it too. Each request starts it only once.',
      },
      {
        displayName: 'Include Quiet Idles',
        name: 'includeSuppressed',
        type: 'boolean',
        default: false,
        description:
          'Whether to tell an "Idle" before which no agent has worked, for example right after start',
      },
      {
        displayName: 'Main Agent Only',
        name: 'mainAgentOnly',
        type: 'boolean',
        default: false,
        description: 'Whether to leave out what SubAgents say and do. Requests are never left out.',
      },
      {
        displayName: 'More Events',
        name: 'extraEvents',
        type: 'multiOptions',
        default: [],
        description: 'Events beside those above',
        options: eventChoices,
      },
      {
        displayName: 'Only These Tools',
        name: 'toolNames',
        type: 'string',
        default: '',
        placeholder: 'e.g. shell, write',
        description:
          'Approval requests for other tools do not start this workflow. Names with commas between; empty means all.',
      },
      {
        displayName: 'Start Chord on Activation',
        name: 'startOnActivation',
        type: 'boolean',
        default: false,
        description:
          'Whether to start Chord when the workflow becomes active. Otherwise it is started by the first node that needs it.',
      },
    ],
  },
];
