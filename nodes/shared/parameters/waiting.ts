import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { approvalFormOption } from './approvalForm';

type Option = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** The words of `waitFor`; each node sorts them with its own default first. */
export const waitForChoices = {
  turn: {
    name: 'Until Chord Has Finished',
    value: 'turn',
    description: 'Wait until the agent has finished its work, then return its report',
  },
  jobs: {
    name: 'Until Background Jobs Have Finished Too',
    value: 'jobs',
    description: 'Also wait for jobs the agent left running. Needs a time limit.',
  },
  nothing: {
    name: 'Do Not Wait',
    value: 'nothing',
    description: 'Continue right away. A Chord Trigger can start a workflow when the work is finished.',
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
      "Whether to cancel the agent's work when this workflow execution is stopped. Otherwise the agent keeps working.",
  },
  {
    displayName: 'Cancel Work on Timeout',
    name: 'cancelOnTimeout',
    type: 'boolean',
    default: false,
    description:
      "Whether to cancel the agent's work when the time limit is reached. Otherwise the agent keeps working.",
  },
  {
    displayName: 'Requests While Working',
    name: 'decisions',
    type: 'options',
    default: 'auto',
    description: 'Who receives the approval requests, questions and plans that come up while this node waits',
    options: [
      {
        name: 'Automatic',
        value: 'auto',
        description:
          'An active Chord Trigger that handles them. If there is none, they leave this node through "Needs Decision".',
      },
      {
        name: 'Leave Them to Others',
        value: 'leave',
        description: 'This node only waits for the work to end',
      },
      {
        name: 'Return Them Here',
        value: 'return',
        description:
          'They leave this node through "Needs Decision", even if a Chord Trigger reports them too',
      },
    ],
  },
  {
    displayName: 'Time Limit (Seconds)',
    name: 'timeoutSeconds',
    type: 'number',
    typeOptions: { minValue: 0 },
    default: 0,
    description: 'How long this node waits at most. 0 means no limit.',
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
        description: 'Simple and fast. The execution occupies an n8n worker and ends if n8n is restarted.',
      },
      {
        name: 'Suspend the Workflow',
        value: 'suspend',
        description:
          "For hours or days: the execution goes into n8n's waiting state, occupies no worker and resumes automatically",
      },
    ],
  },
];
