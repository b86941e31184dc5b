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
    description: 'The key found in the items of Chord nodes, under "session"',
    displayOptions: { show: { sessionFrom: ['key'] } },
  },
  {
    displayName: 'Request',
    name: 'requestFrom',
    type: 'options',
    default: 'auto',
    description: "Which of Chord's requests to answer",
    options: [
      {
        name: 'Automatic',
        value: 'auto',
        description: 'The request of the incoming item, or the open one from the Chord nodes before this one',
      },
      {
        name: 'The Only Open One',
        value: 'open',
        description: `The only open request ${kind === 'any' ? '' : 'of this kind '}in the session. If there are several, or if this item asks about another one, the node fails.`,
      },
      { name: 'By ID', value: 'id', description: 'The request with the given ID' },
    ],
  },
  {
    displayName: 'Request ID',
    name: 'requestId',
    type: 'string',
    default: '',
    required: true,
    description: 'The ID of the request, found in the items of Chord nodes under "request"',
    displayOptions: { show: { requestFrom: ['id'] } },
  },
];

const quoted = (meaning: keyof typeof acceptedWords): string => acceptedWords[meaning].join(', ');

/** The answers that each responder accepts, for its help. */
const accepted = {
  confirm: `Accepted words: ${quoted('grant')}; ${quoted('deny')}. Nothing else counts as a decision`,
  question: `Accepted answers: the labels or numbers of the options, "${quoted('decline')}", or free text`,
  handoff: `Accepted words: ${quoted('grant')}; ${quoted('deny')}; ${quoted('cancel')}. Nothing else counts as a decision`,
  any: `Accepted words for approvals and plans: ${quoted('grant')}; ${quoted('deny')}; for plans also ${quoted('cancel')}. Accepted answers to a question: the labels or numbers of its options, "${quoted('decline')}", or free text`,
} satisfies Record<RequestKind | 'any', string>;

/** What is done when nobody answered, by kind. */
const refusal = {
  confirm: "Refuse Chord's request",
  question: 'Decline the question',
  handoff: 'Send the plan back',
  any: "Refuse Chord's request, decline its question or send its plan back",
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
      description: `What the approval step before this node returned: the answer from a form, a button or free text. ${accepted[kind]}.`,
      displayOptions,
    },
    {
      displayName: 'If Nobody Answers',
      name: 'whenNoDecision',
      type: 'options',
      default: 'fail',
      description:
        "What to do if nobody answers within the approval step's time limit. An answer that cannot be read is always an error.",
      options: [
        {
          name: 'Deny',
          value: 'deny',
          description: `${refusal[kind]}, and tell the agent that nobody answered in time`,
        },
        { name: 'Fail', value: 'fail', description: 'Stop with an error. Chord keeps waiting.' },
        {
          name: 'Leave It Open',
          value: 'leave',
          description: 'Pass the item on unchanged, marked as skipped. Chord keeps waiting.',
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
        'Whether to refuse a decision that does not say who made it. Slack with "Capture Responder", approval in a Telegram chat and a form with "Your Name" say who it was. A plain link does not, and opening it is enough to decide.',
      displayOptions,
    },
  ];
};
