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
          'You know that it is unknown what became of a message or an answer, or that a transfer is over: let the session go on as usual. Nothing is sent again.',
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
        description: 'End what the agent is doing. Without running work nothing is done.',
      },
      {
        name: 'Compact Conversation',
        value: 'compact',
        action: 'Compact the conversation',
        description: 'Have Chord make a long conversation shorter, once it is idle (/compact)',
      },
      {
        name: 'End Loop Mode',
        value: 'loopOff',
        action: 'End loop mode',
        description:
          'Let the agent stop when it is done, instead of going on until a person agrees (/loop off)',
      },
      {
        name: 'End Wait',
        value: 'cancelWait',
        action: 'End a wait',
        description:
          'End a suspended workflow that waits for this session: its node fails. What was not sent yet is not sent any more.',
      },
      {
        name: 'Get Model Pool',
        value: 'getModelPool',
        action: 'Get the model pool',
        description: 'Which model pools are in use',
      },
      {
        name: 'List Roles',
        value: 'listRoles',
        action: 'List the roles',
        description: 'Which roles the agent can take, and which one it has',
      },
      {
        name: 'Restart Process',
        value: 'restartProcess',
        action: 'Restart the process',
        description: 'Stop Chord and start it again in the same conversation',
      },
      {
        name: 'Resume Session',
        value: 'resumeSession',
        action: 'Resume a session',
        description: 'Go on with an earlier conversation of the project (/resume)',
      },
      {
        name: 'Run Shell Command',
        value: 'runShell',
        action: 'Run a shell command',
        description:
          "Run a command in the project past all of Chord's permission rules. Only where the credential allows it.",
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
        description: 'Let the agent take another role in the same conversation',
      },
      {
        name: 'Stop Process',
        value: 'stopProcess',
        action: 'Stop the process',
        description: 'Stop Chord. It is started again when somebody uses the session.',
      },
    ],
  },
  locator({
    displayName: 'Model Pool',
    name: 'pool',
    search: 'searchModelPools',
    placeholder: 'e.g. thinking',
    description:
      "Which model pool to use. The list shows those that Chord tells of; any other one of Chord's configuration can be typed.",
    displayOptions: { show: { operation: ['setModelPool'] } },
  }),
  locator({
    displayName: 'Agent',
    name: 'agent',
    search: 'searchAgents',
    placeholder: 'e.g. builder',
    description: 'Set the pool of this agent only. Leave empty for the main agent, whatever its role.',
    displayOptions: { show: { operation: ['setModelPool'] } },
  }),
  locator({
    displayName: 'Role',
    name: 'role',
    search: 'searchRoles',
    placeholder: 'e.g. planner',
    description: 'Which role the agent takes',
    displayOptions: { show: { operation: ['setRole'] } },
  }),
  locator({
    displayName: 'Earlier Session',
    name: 'sessionId',
    search: 'searchSessions',
    placeholder: 'e.g. 20260130094512345',
    description: 'Which conversation to go on with',
    displayOptions: { show: { operation: ['resumeSession'] } },
  }),
  locator({
    displayName: 'Waiting Execution',
    name: 'executionId',
    search: 'searchWaits',
    placeholder: 'e.g. 1234',
    description: 'Which execution does not wait any longer. Chord Status lists those that wait.',
    displayOptions: { show: { operation: ['cancelWait'] } },
  }),
  {
    displayName: 'Shell Command',
    name: 'shellCommand',
    type: 'string',
    typeOptions: { rows: 2 },
    default: '',
    placeholder: 'e.g. git status --short',
    description: 'What bash runs in the project directory, at most about two minutes long',
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
          'Whether to do it although somebody else is at work in the session: work is ended or goes on in the new role, requests are dismissed, background jobs may end',
        displayOptions: { show: { '/operation': disturbing } },
      },
      {
        displayName: 'When a Request Is Open',
        name: 'whenRequestOpen',
        type: 'options',
        default: 'fail',
        description:
          'Chord has no command of its own for this: it goes as a message, and a message closes a request that waits for a person',
        displayOptions: { show: { '/operation': sentAsMessage } },
        options: [
          { name: 'Dismiss It', value: 'dismiss', description: 'Do it, and so refuse or cancel the request' },
          { name: 'Fail', value: 'fail', description: 'Give an error; nothing is done' },
          { name: 'Skip', value: 'skip', description: 'Do nothing, and say so in the item' },
          { name: 'Wait', value: 'wait', description: 'Do it once the request has been decided' },
        ],
      },
    ],
  },
];
