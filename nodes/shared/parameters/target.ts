import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { RequestKind } from '../../../chord';
import { acceptedWords } from '../approvalStep/acceptedWords';
import { sessionParameters } from './session';

/** Which request a responder answers, in which session. Both are found by themselves unless the user says more. */
export const targetParameters = (kind: RequestKind | 'any'): INodeProperties[] => [
  {
    displayName: 'Session',
    name: 'sessionFrom',
    type: 'options',
    default: 'auto',
    description: 'Which Chord session the request belongs to',
    options: [
      {
        name: 'Automatic',
        value: 'auto',
        description: 'The session of the incoming item, or of the Chord node before this one',
      },
      { name: 'By Name', value: 'named', description: 'Project directory and session name' },
      { name: 'By Key', value: 'key', description: 'The session key from an item of a Chord node' },
    ],
  },
  ...sessionParameters({ sessionFrom: ['named'] }),
  {
    displayName: 'Session Key',
    name: 'sessionKey',
    type: 'string',
    default: '',
    required: true,
    placeholder: "e.g. {{ $('Chord Trigger').item.json.session.key }}",
    description: 'The key as it stands in the items of Chord nodes, under session',
    displayOptions: { show: { sessionFrom: ['key'] } },
  },
  {
    displayName: 'Request',
    name: 'requestFrom',
    type: 'options',
    default: 'auto',
    description: 'Which request of Chord is answered',
    options: [
      {
        name: 'Automatic',
        value: 'auto',
        description: 'The request of the incoming item, or the open one from the Chord nodes before this one',
      },
      {
        name: 'The Only Open One',
        value: 'open',
        description: `The one open request ${kind === 'any' ? '' : 'of this kind '}in the session. Two are an error, and so is another one than this item asks about.`,
      },
      { name: 'By ID', value: 'id', description: 'The request whose ID you give' },
    ],
  },
  {
    displayName: 'Request ID',
    name: 'requestId',
    type: 'string',
    default: '',
    required: true,
    description: 'The ID of the request, from the field "request" of an item that a Chord node gave',
    displayOptions: { show: { requestFrom: ['id'] } },
  },
];

const quoted = (meaning: keyof typeof acceptedWords): string => acceptedWords[meaning].join(', ');

/** The words that each responder understands, for its help. */
const understood = {
  confirm: `Understood are ${quoted('grant')}, and ${quoted('deny')}; nothing else decides`,
  question: `Understood are the labels or numbers of the options, "${quoted('decline')}", and own words`,
  handoff: `Understood are ${quoted('grant')}, ${quoted('deny')}, and ${quoted('cancel')}; nothing else decides`,
  any: `Understood are, for a request and for a plan, ${quoted('grant')}, ${quoted('deny')}, and ${quoted('cancel')} for a plan only; for a question the labels or numbers of its options, "${quoted('decline')}", and own words`,
} satisfies Record<RequestKind | 'any', string>;

/** What the agent gets to hear when nobody answered, by kind. */
const refusal = {
  confirm: 'Refuse what Chord asked for',
  question: 'Decline the question',
  handoff: 'Send the plan back',
  any: 'Refuse what Chord asked for, decline its question, or send its plan back',
} satisfies Record<RequestKind | 'any', string>;

/**
 * What *From Approval Step* reads, what is done without an answer, and whether somebody must have given it.
 *
 * @param show when they are shown; always, if left out
 */
export const stepParameters = (
  kind: RequestKind | 'any',
  show?: IDisplayOptions['show'],
): INodeProperties[] => {
  const displayOptions = show && { show };
  return [
    {
      displayName: 'Approval Step Result',
      name: 'stepResult',
      type: 'string',
      default: '={{ $json }}',
      description: `What the approval step before this node gave: the answer of a form, of buttons, or free text. ${understood[kind]}.`,
      displayOptions,
    },
    {
      displayName: 'If Nobody Answers',
      name: 'whenNoDecision',
      type: 'options',
      default: 'fail',
      description:
        "What to do when the approval step's time is over without an answer. An answer that cannot be read is always an error.",
      options: [
        {
          name: 'Deny',
          value: 'deny',
          description: `${refusal[kind]}, and tell the agent that nobody answered in time`,
        },
        { name: 'Fail', value: 'fail', description: 'Stop with an error. Chord goes on waiting.' },
        {
          name: 'Leave It Open',
          value: 'leave',
          description: 'Give the item out as it came, marked as skipped. Chord goes on waiting.',
        },
      ],
      displayOptions,
    },
    {
      displayName: 'Require Responder',
      name: 'requireResponder',
      type: 'boolean',
      default: false,
      description:
        'Whether to refuse a decision that does not say who made it. Slack with "Capture Responder", approval in a Telegram chat, and a form with "Your Name" say it; a plain link does not, and opening it is enough to decide.',
      displayOptions,
    },
  ];
};
