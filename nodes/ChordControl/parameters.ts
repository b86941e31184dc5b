import type { INodeProperties } from 'n8n-workflow';
import { locator } from '../shared/parameters/locator';
import { sessionParameters } from '../shared/parameters/session';

/** What goes as a message, since Chord has no command for it: Chord then closes open requests. */
const sentAsMessage = ['compact', 'loopOff', 'newSession', 'resumeSession', 'setModelPool'];

/** What would disturb others who use the session. */
const disturbing = ['newSession', 'restartProcess', 'resumeSession', 'setRole', 'stopProcess'];

/** All parameters of Chord Control. */
export const controlParameters: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'getModelPool',
    options: [
      {
        name: 'Acknowledge Unknown Input',
        value: 'acknowledgeUnknown',
        action: 'Acknowledge unknown input',
        description:
          'Confirm that you know a message or an answer may have been lost, or that a transfer is over, so that the session continues as usual. Nothing is sent again.',
      },
      {
        name: 'Begin New Session',
        value: 'newSession',
        action: 'Begin a new session',
        description: 'Begin a new conversation under this session name (/new)',
      },
      {
        name: 'Cancel Work',
        value: 'cancelTurn',
        action: 'Cancel the running work',
        description: 'Stop what the agent is doing. If nothing is running, nothing happens.',
      },
      {
        name: 'Compact Conversation',
        value: 'compact',
        action: 'Compact the conversation',
        description: 'Have Chord shorten a long conversation once it is idle (/compact)',
      },
      {
        name: 'End Loop Mode',
        value: 'loopOff',
        action: 'End loop mode',
        description:
          'Let the agent stop when it is done instead of continuing until a person agrees (/loop off)',
      },
      {
        name: 'End Wait',
        value: 'cancelWait',
        action: 'End a wait',
        description:
          'End the wait of a suspended workflow for this session: its node fails. Anything that has not been sent yet is dropped.',
      },
      {
        name: 'Get Model Pool',
        value: 'getModelPool',
        action: 'Get the model pool',
        description: 'Show which model pools are in use',
      },
      {
        name: 'List Roles',
        value: 'listRoles',
        action: 'List the roles',
        description: 'Show which roles the agent can take and which one is active',
      },
      {
        name: 'Restart Process',
        value: 'restartProcess',
        action: 'Restart the process',
        description: 'Stop Chord and start it again with the same conversation',
      },
      {
        name: 'Resume Session',
        value: 'resumeSession',
        action: 'Resume a session',
        description: 'Continue an earlier conversation of the project (/resume)',
      },
      {
        name: 'Run Shell Command',
        value: 'runShell',
        action: 'Run a shell command',
        description:
          "Run a command in the project, bypassing all of Chord's permission rules. Only if the credential allows it.",
      },
      {
        name: 'Set Model Pool',
        value: 'setModelPool',
        action: 'Set the model pool',
        description: 'Choose which models the agent uses',
      },
      {
        name: 'Set Role',
        value: 'setRole',
        action: 'Set the role',
        description: 'Give the agent another role in the same conversation',
      },
      {
        name: 'Stop Process',
        value: 'stopProcess',
        action: 'Stop the process',
        description: 'Stop Chord. It starts again when somebody uses the session.',
      },
    ],
  },
  locator({
    displayName: 'Model Pool',
    name: 'pool',
    search: 'searchModelPools',
    placeholder: 'e.g. thinking',
    description:
      "Which model pool to use. The list shows the pools that Chord reports; you can also type any other pool from Chord's configuration.",
    displayOptions: { show: { operation: ['setModelPool'] } },
  }),
  locator({
    displayName: 'Agent',
    name: 'agent',
    search: 'searchAgents',
    placeholder: 'e.g. builder',
    description: 'Set the pool for this agent only. Leave empty for the main agent, whatever its role.',
    displayOptions: { show: { operation: ['setModelPool'] } },
  }),
  locator({
    displayName: 'Role',
    name: 'role',
    search: 'searchRoles',
    placeholder: 'e.g. planner',
    description: 'Which role to give the agent',
    displayOptions: { show: { operation: ['setRole'] } },
  }),
  locator({
    displayName: 'Earlier Session',
    name: 'sessionId',
    search: 'searchSessions',
    placeholder: 'e.g. 20260130094512345',
    description: 'Which conversation to continue',
    displayOptions: { show: { operation: ['resumeSession'] } },
  }),
  locator({
    displayName: 'Waiting Execution',
    name: 'executionId',
    search: 'searchWaits',
    placeholder: 'e.g. 1234',
    description: 'Which execution should stop waiting. Chord Status lists those that are waiting.',
    displayOptions: { show: { operation: ['cancelWait'] } },
  }),
  {
    displayName: 'Shell Command',
    name: 'shellCommand',
    type: 'string',
    typeOptions: { rows: 2 },
    default: '',
    placeholder: 'e.g. git status --short',
    description: 'What to run with bash in the project directory. It may take about two minutes at most.',
    displayOptions: { show: { operation: ['runShell'] } },
  },
  ...sessionParameters(),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show: { operation: [...new Set([...sentAsMessage, ...disturbing])].sort() } },
    options: [
      {
        displayName: 'Force',
        name: 'force',
        type: 'boolean',
        default: false,
        description:
          'Whether to do it even if somebody else is using the session: running work ends or continues in the new role, requests are dismissed and background jobs may end',
        displayOptions: { show: { '/operation': disturbing } },
      },
      {
        displayName: 'If a Request Is Open',
        name: 'whenRequestOpen',
        type: 'options',
        default: 'fail',
        description:
          'What to do if Chord is waiting for a decision. Chord has no command for this operation, so it is sent as a message, and a message closes an open request.',
        displayOptions: { show: { '/operation': sentAsMessage } },
        options: [
          {
            name: 'Dismiss the Request',
            value: 'dismiss',
            description: 'Do it anyway and let Chord drop its request',
          },
          { name: 'Fail', value: 'fail', description: 'Stop with an error and do nothing' },
          { name: 'Skip', value: 'skip', description: 'Do nothing and say so in the item' },
          { name: 'Wait', value: 'wait', description: 'Do it once the request has been decided' },
        ],
      },
    ],
  },
];
