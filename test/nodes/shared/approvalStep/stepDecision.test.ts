import { ChordError } from '../../../../chord/errors';
import { readStepAnswer } from '../../../../nodes/shared/approvalStep/stepAnswer';
import { readStepDecision } from '../../../../nodes/shared/approvalStep/stepDecision';
import { stepField } from '../../../../nodes/shared/approvalStep/stepFields';

const read = (step: unknown) => readStepDecision(step, ['grant', 'deny']).decision;

const codeOf = (call: () => unknown) => {
  try {
    call();
    return 'no error';
  } catch (error) {
    return ChordError.is(error) ? error.code : 'another error';
  }
};

describe('B64: which words decide', () => {
  it.each([
    [true, 'grant'],
    ['true', 'grant'],
    ['Allow', 'grant'],
    [' allow ', 'grant'],
    ['ALLOW', 'grant'],
    ['Approve', 'grant'],
    ['approve', 'grant'],
    [false, 'deny'],
    ['false', 'deny'],
    ['Deny', 'deny'],
    ['\tdeny\n', 'deny'],
  ])('%p means %s', (word, meaning) => {
    expect(read(word)).toBe(meaning);
  });

  it.each([
    'yes',
    'no',
    'ok',
    'allow_once',
    'Allow all',
    'not allow',
    'Cancel',
    'toString',
    'constructor',
    1,
    0,
    'y',
  ])('%p decides nothing', (word) => {
    expect(codeOf(() => read(word))).toBe('no_decision');
    expect(codeOf(() => read({ data: { approved: word } }))).toBe('no_decision');
  });
});

describe('B29: a missing answer is no approval', () => {
  it.each([
    undefined,
    null,
    '',
    '  ',
    {},
    [],
    { data: {} },
    { data: { approved: undefined } },
    { data: { approved: null } },
    { data: { approved: '' } },
    { data: 'Allow' },
    { data: [{ approved: true }] },
    { approved: true },
    { text: 'allow' },
    { request: { id: 'r1' } },
    { decision: 'allow' },
    { data: { decision: 'allow' } },
    [{ data: { approved: true } }],
  ])('%j', (step) => {
    expect(codeOf(() => read(step))).toBe('no_decision');
  });

  it.each([{ data: { approved: {} } }, { data: { Decision: ['Allow'] } }, { Decision: { value: 'Allow' } }])(
    'a list or object is no word: %j',
    (step) => {
      expect(codeOf(() => read(step))).toBe('no_decision');
    },
  );
});

describe('where a decision is read', () => {
  it.each([
    [{ data: { approved: true } }],
    [{ data: { Decision: 'Allow', Reason: '', respondedAt: 'now' } }],
    [{ Decision: 'allow' }],
    [{ data: { text: 'approve' } }],
    [{ data: { approved: true, Decision: 'Allow', text: '' } }],
  ])('%j grants', (step) => {
    expect(read(step)).toBe('grant');
  });

  it.each([
    [{ data: { approved: true, Decision: 'Deny' } }],
    [{ data: { approved: true }, Decision: 'Deny' }],
    [{ data: { Decision: 'Allow', text: 'deny' } }],
    [{ data: { approved: true, text: 'but only on Monday' } }],
  ])('contradictions decide nothing: %j', (step) => {
    expect(codeOf(() => read(step))).toBe('no_decision');
  });

  it('reads the reason beside the decision', () => {
    expect(
      readStepDecision({ data: { Decision: 'Deny', Reason: ' too risky ' } }, ['grant', 'deny']),
    ).toEqual({
      decision: 'deny',
      reason: 'too risky',
    });
    expect(readStepDecision({ Decision: 'Deny', Reason: 'late' }, ['grant', 'deny']).reason).toBe('late');
    expect(readStepDecision(false, ['grant', 'deny']).reason).toBe('');
  });

  it.each([
    [{ data: { Decision: 'Deny', Reason: ['a', 'b'] } }],
    [{ data: { Decision: 'Deny', Reason: {} } }],
  ])('a reason that is no text does not stand in the way of the decision: %j', (step) => {
    expect(readStepDecision(step, ['grant', 'deny'])).toEqual({ decision: 'deny', reason: '' });
  });

  it('reads a field beside the decision from either place, also a number', () => {
    expect(stepField({ data: { Agent: ' planner ' } }, 'Agent')).toBe('planner');
    expect(stepField({ Agent: 'planner', data: { Agent: 'planner' } }, 'Agent')).toBe('planner');
    expect(stepField({ data: { Agent: 7 } }, 'Agent')).toBe('7');
    expect(stepField({ data: { Agent: ' ' } }, 'Agent')).toBe('');
    expect(stepField('Approve', 'Agent')).toBe('');
  });

  it('knows Cancel only where it is accepted', () => {
    expect(readStepDecision({ data: { Decision: 'cancel' } }, ['grant', 'deny', 'cancel']).decision).toBe(
      'cancel',
    );
  });
});

test('a plan is not remembered', () => {
  const step = { data: { Decision: 'Allow for This Session' } };
  expect(readStepDecision(step, ['grant', 'deny'])).toMatchObject({ decision: 'grant', remember: 'session' });
  expect(codeOf(() => readStepDecision(step, ['grant', 'deny', 'cancel']))).toBe('no_decision');
});

describe("words in n8n's Chat", () => {
  it.each<[unknown, string]>([
    [{ chatInput: 'Allow', sessionId: 's' }, 'grant'],
    [{ data: { chatInput: ' deny ', sessionId: 's' } }, 'deny'],
    [{ data: { chatInput: '', approved: true } }, 'grant'],
    [{ chatInput: 'Why?', data: { approved: false } }, 'deny'],
  ])('%j decides: %s', (step, meaning) => {
    expect(read(step)).toBe(meaning);
  });

  it.each([
    { chatInput: 'Deploy it' },
    { data: { chatInput: 'yes' } },
    { chatInput: 'Allow', data: { approved: false } },
    { chatInput: 'Deny', data: { Decision: 'Allow' } },
    { chatInput: ['Allow'] },
  ])('decide nothing: %j', (step) => {
    expect(codeOf(() => read(step))).toBe('no_decision');
  });

  it('do not stand in the way of another answer', () => {
    expect(read({ chatInput: 'Deploy it', data: { Decision: 'Allow' } })).toBe('grant');
    expect(readStepAnswer({ chatInput: 'Deploy it', data: { Answer: 'Red' } })).toMatchObject({
      answers: ['Red'],
      reply: '',
    });
  });

  it('say why a button was not pressed', () => {
    const step = { chatInput: 'Use the staging branch.', data: { approved: false } };
    expect(readStepDecision(step, ['grant', 'deny']).reason).toBe('Use the staging branch.');
    expect(readStepDecision({ chatInput: 'Deny', data: { approved: false } }, ['grant', 'deny']).reason).toBe(
      '',
    );
  });

  it.each([{ chatInput: '1. Red' }, { data: { chatInput: '1. Red' } }])('answer a question: %j', (step) => {
    expect(readStepAnswer(step)).toEqual({ declined: false, answers: [], text: '', reply: '1. Red' });
  });
});
