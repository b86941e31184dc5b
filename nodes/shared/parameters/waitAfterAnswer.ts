import type { INodeProperties } from 'n8n-workflow';
import { waitForChoices, waitingOptions } from './waiting';

/** Whether and how a responder waits once its answer has reached Chord. */
export const waitAfterAnswer: INodeProperties[] = [
  {
    displayName: 'Wait',
    name: 'waitFor',
    type: 'options',
    default: 'nothing',
    description: 'How long this node waits once Chord has received the answer',
    options: [waitForChoices.nothing, waitForChoices.turn, waitForChoices.jobs],
  },
  {
    displayName: 'Wait Options',
    name: 'waitOptions',
    type: 'collection',
    placeholder: 'Add wait option',
    default: {},
    displayOptions: { show: { waitFor: ['turn', 'jobs'] } },
    options: [...waitingOptions],
  },
];
