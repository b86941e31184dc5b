import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { approvalFormOption } from './approvalForm';

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** The words of `waitFor`; each node sorts them with its own default first. */
export const waitForChoices = {
  turn: {
    name: 'Until Chord Has Finished',
    value: 'turn',
    description: 'Wait until the agent has done its work, then return its report',
  },
  jobs: {
    name: 'Until Background Jobs Have Finished Too',
    value: 'jobs',
    description: 'Also wait for jobs that the agent left running. Needs a time limit.',
  },
  nothing: {
    name: 'Do Not Wait',
    value: 'nothing',
    description: 'Go on at once. A Chord Trigger can start a workflow when the work is finished.',
  },
} satisfies Record<string, INodePropertyOptions>;

/** How long and how strictly to wait: in Send's options, and in the wait options of the responders. */
export const waitingOptions: Option[] = [
  approvalFormOption,
  {
    displayName: 'Cancel Work on Stop',
    name: 'cancelOnStop',
    type: 'boolean',
    default: false,
    description:
      "Whether to cancel the agent's work when this workflow execution is stopped. Otherwise the agent goes on.",
  },
  {
    displayName: 'Cancel Work on Timeout',
    name: 'cancelOnTimeout',
    type: 'boolean',
    default: false,
    description:
      "Whether to cancel the agent's work when the time limit passes. Otherwise the agent goes on.",
  },
  {
    displayName: 'Requests While Working',
    name: 'decisions',
    type: 'options',
    default: 'auto',
    description: 'Who gets the requests for approval, questions and plans that come up while this node waits',
    options: [
      {
        name: 'Automatic',
        value: 'auto',
        description:
          'An active Chord Trigger that takes them; where there is none, they leave this node on "Needs Decision"',
      },
      {
        name: 'Leave Them to Others',
        value: 'leave',
        description: 'This node only waits for the end of the work',
      },
      {
        name: 'Return Them Here',
        value: 'return',
        description: 'They leave this node on "Needs Decision", even if a Chord Trigger tells them too',
      },
    ],
  },
  {
    displayName: 'Time Limit (Seconds)',
    name: 'timeoutSeconds',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description: 'How long this node waits at most. 0 means without limit.',
  },
  {
    displayName: 'Wait Mode',
    name: 'waitMode',
    type: 'options',
    default: 'running',
    description: 'What the workflow does while this node waits',
    options: [
      {
        name: 'Keep the Workflow Running',
        value: 'running',
        description: 'Simple and quick. The execution holds a worker of n8n, and ends if n8n is restarted.',
      },
      {
        name: 'Suspend the Workflow',
        value: 'suspend',
        description:
          "For hours and days: the execution waits in n8n's waiting state, holds no worker, and goes on by itself",
      },
    ],
  },
];
