import type { INodeProperties } from 'n8n-workflow';
import type { RequestKind } from '../../../chord';
import { acceptedWords } from '../stepDecision';
import { sessionParameters } from './session';

/** Which request a responder answers, in which session. Both are found by themselves unless the user says more. */
export const targetParameters: INodeProperties[] = [
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
        description: 'The one open request of this kind in the session. Two are an error.',
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
} satisfies Record<RequestKind, string>;

/** What *From Approval Step* reads. */
export const stepResultParameter = (kind: RequestKind, show: Record<string, string[]>): INodeProperties => ({
  displayName: 'Approval Step Result',
  name: 'stepResult',
  type: 'string',
  default: '={{ $json }}',
  description: `What the approval step before this node gave: the answer of a form, of buttons, or free text. ${understood[kind]}.`,
  displayOptions: { show },
});
