import { ChordError } from '../../chord/errors';
import { handoffDecision, questionAnswer } from '../../chord/session/answers';
import type { HandoffDecision, QuestionAnswer } from '../../chord/session/contract';
import { handoffDocument, questionDocument } from '../../chord/session/documents';
import type { LedgerEntry } from '../../chord/session/Ledger';
import { readPayload } from '../../chord/protocol/envelopes';

/** Everything that today's Chord asks takes own words; one that does not is made up here. */
const choiceOnly = (protocol: 'A' | 'C'): LedgerEntry => {
  const payload = readPayload('question_request', {
    type: 'question_request',
    payload: { request_id: 'q1', question: 'Which?', options: ['Red', 'Blue'] },
  });
  const request = { ...questionDocument(payload, 0), allows_text: false };
  return { request, protocol } as LedgerEntry;
};

const plan = (agents: object[]): LedgerEntry => {
  const payload = readPayload('handoff_request', {
    type: 'handoff_request',
    payload: { request_id: 'h1', plan_path: 'plan.md', plan_text: 'x', agents },
  });
  return { request: handoffDocument(payload), protocol: null } as LedgerEntry;
};

const refusal = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (ChordError.is(error)) return `${error.code}: ${error.message} ${error.description}`;
  }
  throw new Error('It was not refused');
};

describe.each(['A', 'C'] as const)('a question that takes no own words, protocol %s', (protocol) => {
  const answer = (given: Partial<QuestionAnswer>) =>
    questionAnswer(choiceOnly(protocol), {
      requestId: 'q1',
      action: 'answer',
      answers: [],
      text: '',
      ...given,
    } as QuestionAnswer);

  test.each<[string, Partial<QuestionAnswer>, string]>([
    [
      'own words',
      { text: 'Green' },
      'invalid_answer: This question takes no own words. Choose one of its options.',
    ],
    [
      'a free reply in own words',
      { reply: 'the blue one' },
      'invalid_answer: "the blue one" is not among the options. Offered are: 1. Red, 2. Blue.',
    ],
    [
      'own words beside an option',
      { answers: ['Red'], text: 'but dark' },
      'invalid_answer: Options and own words exclude each other. Give one or the other.',
    ],
  ])('%s are refused', (_what, given, message) => {
    expect(refusal(() => answer(given))).toBe(message);
  });

  test('a free reply that names an option is that option', () => {
    expect(answer({ reply: ' 2 ' }).command).toMatchObject({ answers: ['Blue'] });
  });
});

test('a pool for an agent that has none is refused, and the error says so', () => {
  const decision = { requestId: 'h1', action: 'approve', agent: '', pool: 'thinking', denyReason: '' };
  expect(refusal(() => handoffDecision(plan([{ name: 'solo' }]), decision as HandoffDecision))).toBe(
    'invalid_answer: The agent "solo" has no model pool "thinking". It has none: leave the model pool empty.',
  );
});
