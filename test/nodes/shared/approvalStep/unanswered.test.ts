import { isUnanswered } from '../../../../nodes/shared/approvalStep/unanswered';

/** An item as the Chord Trigger emits it, whose own fields hold words that would decide. */
const request = {
  event: 'confirm_request',
  summary: 'Approve',
  message: 'Deny',
  text: 'Allow',
  session: { key: 'k' },
  request: {
    id: 'r1',
    kind: 'confirm',
    arguments: { Decision: 'Allow' },
    form: [{ fieldLabel: 'Decision' }],
  },
  payload: { Decision: 'Allow', data: { Decision: 'Allow' }, approved: true },
};

const answer = { data: { Decision: 'Allow' } };

const decided = (id: string) => ({ request_id: id, action: 'allow', verified_by: 'event' });

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['blanks', ' \n '],
  ["the request's own item", request],
  ['another item', { id: 7, name: 'row' }],
  ['an empty item', {}],
  ['an answer that has been delivered already', { ...answer, outcome: 'sent', decision: decided('r1') }],
  [
    'the same behind a step that kept the request',
    { ...request, ...answer, outcome: 'sent', decision: decided('r1') },
  ],
])('nothing was answered: %s', (_, step) => {
  expect(isUnanswered(step, request)).toBe(true);
});

test.each<[string, unknown]>([
  ['a form', answer],
  ['a form whose fields are empty', { data: { Answer: '', 'Your Own Answer': '' } }],
  ['a form with fields of other names', { data: { Entscheidung: 'Erlauben' } }],
  ['a button', { data: { approved: false } }],
  ['a reply', { data: { text: 'perhaps' } }],
  ['a form page', { Decision: 'perhaps', submittedAt: '2030-01-01T10:00:00.000Z', formMode: 'production' }],
  ['a form page with fields of other names', { Wahl: 'ja', submittedAt: '2030-01-01T10:00:00.000Z' }],
  ['a chat', { chatInput: 'perhaps' }],
  ['an unknown word', 'perhaps'],
  ['a denial', false],
  ['a list', []],
  ['what n8n’s steps put into data', { approved: true }],
  ['the same with who answered', { responder: { id: 7 }, respondedAt: '2030-01-01T10:00:00.000Z' }],
  ['an answer beside the request', { ...request, ...answer }],
  ['an answer beside a request that followed another', { ...request, ...answer, decision: decided('r0') }],
])('somebody answered: %s', (_, step) => {
  expect(isUnanswered(step, request)).toBe(false);
});

test.each(['summary', 'message', 'text'] as const)(
  "the request's own %s is no answer, though it may hold the word for one",
  (field) => {
    expect(isUnanswered(request[field], request)).toBe(true);
    expect(isUnanswered(request[field], answer)).toBe(false);
  },
);
