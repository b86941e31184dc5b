import { ChordError } from '../../../../chord/errors';
import { handoffDecision, questionAnswer } from '../../../../chord/session/operations/decide/answers';
import type { HandoffDecision, QuestionAnswer } from '../../../../chord/session/contract';
import { handoffDocument, questionDocument } from '../../../../chord/session/state/requestDocuments';
import type { LedgerEntry } from '../../../../chord/session/state/Ledger';
import { readPayload } from '../../../../chord/protocol/envelopes';

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
      'invalid_answer: This question does not accept free text. Choose one of its options.',
    ],
    [
      'a free reply in own words',
      { reply: 'the blue one' },
      'invalid_answer: "the blue one" is not one of the options. Options: 1. Red, 2. Blue.',
    ],
    [
      'own words beside an option',
      { answers: ['Red'], text: 'but dark' },
      'invalid_answer: Give either options or your own words, not both. Remove one of them.',
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

describe('an answer as a person or a channel gives it back', () => {
  const labels = ['Red', 'Use $HOME', 'Use $$HOME', '2', '<b>Bold</b>', '$$', 'Go\u200b &lt;'];

  const asking = (more: object = {}): LedgerEntry => {
    const payload = readPayload('question_request', {
      type: 'question_request',
      payload: { request_id: 'q1', question: 'Which?', options: labels, ...more },
    });
    return { request: questionDocument(payload, 0), protocol: 'A' } as LedgerEntry;
  };

  const answered = (given: Partial<QuestionAnswer>, more: object = {}) =>
    questionAnswer(asking(more), {
      requestId: 'q1',
      action: 'answer',
      answers: [],
      text: '',
      ...given,
    } as QuestionAnswer).command;

  test.each([
    ['1', 'Red'],
    ['1.', 'Red'],
    [' 1)', 'Red'],
    ['1. Red', 'Red'],
    ['1) red ', 'Red'],
    ['2', '2'],
    ['2.', 'Use $HOME'],
    ['2. Use $HOME', 'Use $HOME'],
    ['3. Use $$HOME', 'Use $$HOME'],
    ['3. Use $HOME', 'Use $$HOME'],
    ['4. 2', '2'],
    ['5. <b>Bold</b>', '<b>Bold</b>'],
    ['5. &lt;b&gt;Bold&lt;/b&gt;', '<b>Bold</b>'],
    [String.raw`5. \u{3c}b>Bold\u{3c}/b>`, '<b>Bold</b>'],
    ['6. $$', '$$'],
    ['7. Go\\u{200b} \\u{26}lt;', 'Go\u200b &lt;'],
  ])('"%s" is the option "%s", chosen in a form or written in a chat', (given, label) => {
    expect(answered({ answers: [given] })).toMatchObject({ answers: [label] });
    expect(answered({ reply: given })).toMatchObject({ answers: [label] });
  });

  test.each(['1. Blue', '8. Red', '0', '8.', '6. $', '1. Red\n2. Use $HOME', '1.5', '1.Red'])(
    '"%s" names no option: it is refused in a form, and own words in a chat',
    (given) => {
      expect(refusal(() => answered({ answers: [given] }))).toMatch(
        /^invalid_answer: .*not one of the options/s,
      );
      expect(answered({ reply: given })).toMatchObject({ answers: [given] });
    },
  );

  test.each(['1, 3', '1. 3.', '1)\n3)', '1;3', '1. Red\n3. Use $$HOME'])(
    '"%s" chooses two where several may be chosen',
    (reply) => {
      expect(answered({ reply }, { multiple: true })).toMatchObject({ answers: ['Red', 'Use $$HOME'] });
    },
  );

  test.each(['1, 9', '1, 3 and 2'])('"%s" stays own words', (reply) => {
    expect(answered({ reply }, { multiple: true })).toMatchObject({ answers: [reply] });
  });

  test('an option of several lines is found by the one line that is shown of it', () => {
    const more = { options: ['Keep\n2. Stop', 'Go'] };
    expect(answered({ reply: '1. Keep ↵ 2. Stop' }, more)).toMatchObject({ answers: ['Keep\n2. Stop'] });
  });

  test.each([
    ['1. Go', ['Go', '1. Go'], []],
    ['a', ['b', 'a'], ['a', 'b']],
  ])('"%s" that names one option and is the label of another is refused', (given, options, ids) => {
    const more = { options, option_ids: ids };
    expect(refusal(() => answered({ answers: [given] }, more))).toMatch(/matches several options/);
    expect(refusal(() => answered({ reply: given }, more))).toMatch(/matches several options/);
  });

  test('an agent and a pool are found by what the form shows of them', () => {
    const agents = [{ name: 'a$$b' }, { name: 'a$b', model_pools: ['x', '<y>'] }];
    const decision = {
      requestId: 'h1',
      action: 'approve',
      agent: '2. a$b',
      pool: '2. &lt;y&gt;',
      denyReason: '',
    } as HandoffDecision;
    expect(handoffDecision(plan(agents), decision).command).toMatchObject({ agent: 'a$b', pool: '<y>' });
    expect(refusal(() => handoffDecision(plan(agents), { ...decision, agent: '2. c' }))).toMatch(
      /^invalid_answer: Chord did not offer the agent "2. c"/,
    );
  });
});
