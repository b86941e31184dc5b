import type { INodeProperties } from 'n8n-workflow';
import { sessionParameters } from '../shared/parameters/session';
import { waitForChoices, waitingOptions } from '../shared/parameters/waiting';

/** All parameters of Chord Send. */
export const sendParameters: INodeProperties[] = [
  {
    displayName: 'Message',
    name: 'message',
    type: 'string',
    typeOptions: { rows: 4 },
    default: '',
    required: true,
    placeholder: 'e.g. Run the tests and fix what fails',
    description: 'What you want the agent to do, in plain words',
  },
  {
    displayName: 'Wait',
    name: 'waitFor',
    type: 'options',
    default: 'turn',
    description: 'How long this node waits before the workflow continues',
    options: [waitForChoices.turn, waitForChoices.jobs, waitForChoices.nothing],
  },
  ...sessionParameters(),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Allow Commands',
        name: 'allowCommands',
        type: 'boolean',
        default: false,
        description:
          'Whether a message may begin with a slash. Chord treats such a message as a command, not as a task.',
      },
      {
        displayName: 'If a Request Is Open',
        name: 'whenRequestOpen',
        type: 'options',
        default: 'fail',
        description:
          'What to do if Chord is waiting for a decision. Chord would treat a new message as a refusal of its request.',
        options: [
          {
            name: 'Dismiss the Request',
            value: 'dismiss',
            description: 'Send the message right away and let Chord drop its request',
          },
          { name: 'Fail', value: 'fail', description: 'Stop with an error and send nothing' },
          { name: 'Skip', value: 'skip', description: 'Continue without sending' },
          {
            name: 'Wait',
            value: 'wait',
            description: 'Send the message once the request has been decided',
          },
        ],
      },
      {
        displayName: 'If Chord Is Busy',
        name: 'whenBusy',
        type: 'options',
        default: 'wait',
        description: 'What to do if Chord is working on something else',
        options: [
          { name: 'Fail', value: 'fail', description: 'Stop with an error and send nothing' },
          {
            name: 'Join the Running Work',
            value: 'join',
            description: 'Add the message to what Chord is doing. The result is shared.',
          },
          { name: 'Skip', value: 'skip', description: 'Continue without sending' },
          {
            name: 'Wait',
            value: 'wait',
            description: 'Send the message when Chord is free. Each message gets its own result.',
          },
        ],
      },
      {
        displayName: 'Release Held Messages',
        name: 'releaseHeld',
        type: 'boolean',
        default: false,
        description:
          'Whether to send even though Chord holds messages from before it was restarted. It starts working on them as soon as the next message arrives.',
      },
      {
        displayName: 'Run as Loop',
        name: 'loop',
        type: 'boolean',
        default: false,
        description:
          'Whether the agent keeps working until a person accepts its report. Each report arrives as an approval request.',
      },
      ...waitingOptions,
    ],
  },
];
