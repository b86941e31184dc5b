import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../simulator/scenario/scenario';
import { agentFile } from '../support/agentFile';
import { until } from '../support/until';
import { shutDownRegistry } from './support/ChordProject';
import type { ChordNodeType } from './support/flow';
import { codeOf, Scene } from './support/Scene';
import { planForNobody } from './support/planForNobody';

jest.setTimeout(60_000);

/** What Chord asks, by the task that makes it ask. */
type Task = 'confirm' | 'single' | 'several' | 'words' | 'twins' | 'plan' | 'nobody' | 'quick';

const asked = (task: Task, name: string, args: IDataObject): Step => ({
  id: task,
  times: 'any',
  when: { last_user: task, last_role: 'user' },
  reply: { tool_calls: [{ name, args }] },
});

const question = (task: Task, labels: string[], more: IDataObject = {}): Step => {
  const options = labels.map((label) => ({ label, description: `about ${label}` }));
  return asked(task, 'question', { questions: [{ header: task, question: 'Which?', options, ...more }] });
};

const steps: Step[] = [
  { id: 'after', times: 'any', when: { last_role: 'tool' }, reply: { text: 'So be it.' } },
  asked('confirm', 'shell', { command: 'echo one', description: 'for a test' }),
  question('single', ['Red', 'Blue']),
  question('several', ['A', 'B', 'C'], { multiple: true }),
  question('words', []),
  question('twins', ['Same', 'Same', 'Other']),
  asked('plan', 'handoff', { plan_path: 'plan.md' }),
  planForNobody,
  { id: 'quick', times: 'any', when: { last_role: 'user' }, reply: { text: 'Yes.' } },
];

const files = { 'agents/builder.yaml': agentFile('builder'), 'agents/reviewer.yaml': agentFile('reviewer') };

/** What is wrong, the error's code, and what the error says was expected. */
type Row = [what: string, task: Task, parameters: IDataObject, code: string, expected: RegExp];

const waits = (timeoutSeconds: number) => ({ waitFor: 'turn', waitOptions: { timeoutSeconds } });

/** The same for every node that answers. */
const common = (task: Task, decided: IDataObject): Row[] => [
  ['a form with missing fields', task, { stepResult: { data: {} } }, 'no_decision', /request\.form/],
  ['an array', task, { stepResult: [{ data: { Decision: 'Allow', Answer: 'Red' } }] }, 'no_decision', /./],
  [
    'a reply of blanks only',
    task,
    { stepResult: { data: { text: ' \u00a0\n ' } } },
    'no_decision',
    /asks a person/,
  ],
  ['an empty reply', task, { stepResult: '' }, 'no_decision', /asks a person/],
  [
    'a negative time limit',
    task,
    { ...decided, ...waits(-1) },
    'invalid_settings',
    /0 or more, where 0 means no limit/,
  ],
  [
    'a time limit in words',
    task,
    { ...decided, waitFor: 'turn', waitOptions: { timeoutSeconds: 'an hour' } },
    'invalid_settings',
    /number of seconds/,
  ],
  [
    'a wait for jobs without a limit',
    task,
    { ...decided, waitFor: 'jobs' },
    'invalid_settings',
    /needs a time limit/,
  ],
];

const confirmRows: Row[] = [
  ...common('confirm', { decision: 'allow' }),
  [
    'renamed fields',
    'confirm',
    { stepResult: { data: { Entscheidung: 'Allow' } } },
    'no_decision',
    /request\.form/,
  ],
  [
    'another language',
    'confirm',
    { stepResult: { data: { Decision: 'Erlauben' } } },
    'no_decision',
    /Accepted words: Allow, Approve, true, Deny, false/,
  ],
  [
    'two decisions',
    'confirm',
    { stepResult: { data: { Decision: 'Allow', approved: false } } },
    'no_decision',
    /only one field/,
  ],
  ['a question’s id', 'single', { decision: 'allow' }, 'wrong_kind', /confirm/],
  ['a plan’s id', 'plan', { decision: 'allow' }, 'wrong_kind', /confirm/],
];

const questionRows: Row[] = [
  ...common('single', { answerMode: 'options', answers: 'Red' }),
  [
    'an unknown option',
    'single',
    { answerMode: 'options', answers: 'Pink' },
    'invalid_answer',
    /Options: 1\. Red, 2\. Blue/,
  ],
  [
    'a number beyond the options',
    'single',
    { answerMode: 'options', answers: '3' },
    'invalid_answer',
    /Options: 1\. Red, 2\. Blue/,
  ],
  [
    'one unknown of several',
    'several',
    { answerMode: 'options', answers: 'A\nD' },
    'invalid_answer',
    /Options: 1\. A, 2\. B, 3\. C/,
  ],
  [
    'an option where none is offered',
    'words',
    { answerMode: 'options', answers: 'Ada' },
    'invalid_answer',
    /own words/,
  ],
  [
    'two answers to a single choice',
    'single',
    { answerMode: 'options', answers: ['Red', '2'] },
    'invalid_answer',
    /only one answer/,
  ],
  [
    'a shared label',
    'twins',
    { answerMode: 'options', answers: 'Same' },
    'invalid_answer',
    /with a number or an option id/,
  ],
  ['an empty answer', 'single', { answerMode: 'options', answers: '' }, 'no_decision', /Choose an option/],
  ['own words of blanks', 'single', { answerMode: 'text', customText: ' \n' }, 'no_decision', /own words/],
  ['renamed fields', 'single', { stepResult: { data: { Antwort: 'Red' } } }, 'no_decision', /request\.form/],
  [
    'another language',
    'single',
    { stepResult: { data: { Answer: 'Antwort ablehnen' } } },
    'invalid_answer',
    /Options: 1\. Red, 2\. Blue/,
  ],
  [
    'an object in the form',
    'single',
    { stepResult: { data: { Answer: { label: 'Red' } } } },
    'no_decision',
    /plain choices/,
  ],
  ['a confirm’s id', 'confirm', { answerMode: 'options', answers: '1' }, 'wrong_kind', /question/],
  ['a plan’s id', 'plan', { answerMode: 'text', customText: 'yes' }, 'wrong_kind', /question/],
];

const handoffRows: Row[] = [
  ...common('plan', { decision: 'cancel' }),
  [
    'an agent not offered',
    'plan',
    { decision: 'approve', agent: 'builder' },
    'invalid_answer',
    /Agents: .*reviewer/,
  ],
  [
    'an agent not offered, in the form',
    'plan',
    { stepResult: { data: { Decision: 'Approve', Agent: 'builder' } } },
    'invalid_answer',
    /Agents: .*reviewer/,
  ],
  [
    'a pool not offered',
    'plan',
    { decision: 'approve', agent: 'reviewer', pool: 'gamma' },
    'invalid_answer',
    /It has: standard, thinking/,
  ],
  [
    'an agent given as a list',
    'plan',
    { stepResult: { data: { Decision: 'Approve', Agent: ['reviewer'] } }, agent: 'planner' },
    'no_decision',
    /a single text was expected/,
  ],
  [
    'two agents that differ',
    'plan',
    { stepResult: { data: { Decision: 'Approve', Agent: 'reviewer' }, Agent: 'planner' } },
    'no_decision',
    /only one of the fields/,
  ],
  [
    'renamed fields',
    'plan',
    { stepResult: { data: { Decision: 'Approve', Agent_1: 'reviewer' } } },
    'invalid_answer',
    /Agents: .*reviewer/,
  ],
  [
    'another language',
    'plan',
    { stepResult: { data: { Decision: 'Genehmigen' } } },
    'no_decision',
    /Accepted words: Allow, Approve, true, Deny, false, Cancel/,
  ],
  ['no agent offered', 'nobody', { decision: 'approve' }, 'invalid_answer', /only be denied or cancelled/],
  [
    'no agent offered, one named',
    'nobody',
    { stepResult: { data: { Decision: 'Approve', Agent: 'reviewer' } } },
    'invalid_answer',
    /only be denied or cancelled/,
  ],
  ['a confirm’s id', 'confirm', { decision: 'approve', agent: 'reviewer' }, 'wrong_kind', /handoff/],
  ['a question’s id', 'single', { decision: 'cancel' }, 'wrong_kind', /handoff/],
];

afterAll(shutDownRegistry);

/** The oldest question protocol, which is answered by labels, and the newest, by option ids. */
describe.each(['d1', 'd3'] as const)('bad input on %s', (profile) => {
  let scene: Scene;

  /** Each task is given once: what is refused leaves its request open for the next try. */
  const requests = new Map<Task, Promise<IDataObject & { request: IDataObject & { id: string } }>>();

  const request = (task: Task) => {
    const found = requests.get(task);
    if (found) return found;
    scene.nextSession();
    const made = scene.ask(task);
    requests.set(task, made);
    return made;
  };

  beforeAll(async () => {
    scene = await Scene.create(profile, steps, { files });
  });

  /** All commands that reached Chord but those that only read. */
  const written = () =>
    scene.project
      .recorded('stdin')
      .map(({ line }) => line)
      .filter((line) => (JSON.parse(line) as { type: string }).type !== 'status');

  /** The error is one sentence, with a hint; together they say what was expected. */
  const refused = async (
    type: ChordNodeType,
    item: IDataObject,
    parameters: IDataObject,
    code: string,
    expected: RegExp,
  ) => {
    const before = written();
    const execution = await scene.run(type, [item], parameters);
    expect(codeOf(execution)).toBe(code);
    const { message, description } = execution.error!;
    expect(message).toMatch(/^[A-Z"][^\n]{15,}\.$/);
    expect(`${message} ${description ?? ''}`).toMatch(expected);
    expect(written()).toEqual(before);
  };

  const recordedDecision = async (kind: 'confirm' | 'question' | 'handoff', id: string) =>
    await until(() => scene.project.commands(kind).find(({ request_id: requestId }) => requestId === id));

  describe('Chord Confirm', () => {
    test.each(confirmRows)('%s is refused in words', async (_what, task, parameters, code, expected) => {
      await refused('chordConfirm', await request(task), parameters, code, expected);
    });

    test('a typed id of another kind is refused too', async () => {
      const { session, request: other } = await request('single');
      const typed = { decision: 'allow', requestFrom: 'id', requestId: other.id };
      await refused('chordConfirm', { session }, typed, 'wrong_kind', /confirm/);
    });

    test('after all that a right answer still counts', async () => {
      const item = await request('confirm');
      const { error } = await scene.run('chordConfirm', [item], {
        stepResult: { data: { Decision: 'Deny' } },
      });
      expect(error).toBeUndefined();
      expect(await recordedDecision('confirm', item.request.id)).toMatchObject({ action: 'deny' });
    });
  });

  describe('Chord Question', () => {
    test.each(questionRows)('%s is refused in words', async (_what, task, parameters, code, expected) => {
      await refused('chordQuestion', await request(task), parameters, code, expected);
    });

    test('after all that a right answer still counts', async () => {
      const item = await request('single');
      const { error } = await scene.run('chordQuestion', [item], {
        stepResult: { data: { Answer: 'Blue' } },
      });
      expect(error).toBeUndefined();
      expect((await recordedDecision('question', item.request.id)).answers).toHaveLength(1);
    });
  });

  describe('Chord Handoff', () => {
    test.each(handoffRows)('%s is refused in words', async (_what, task, parameters, code, expected) => {
      await refused('chordHandoff', await request(task), parameters, code, expected);
    });

    test('where no agent is offered, denying is left', async () => {
      const item = await request('nobody');
      await scene.run('chordHandoff', [item], { stepResult: { data: { Decision: 'Deny' } } });
      expect(await recordedDecision('handoff', 'nobody')).toMatchObject({ action: 'deny' });
    });

    test('where no agent is offered, cancelling is left', async () => {
      requests.delete('nobody');
      const item = await request('nobody');
      const before = written().length;
      await scene.run('chordHandoff', [item], { decision: 'cancel' });
      expect(
        written()
          .slice(before)
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([{ type: 'handoff', request_id: 'nobody', action: 'cancel' }]);
    });

    test('after all that a right answer still counts', async () => {
      const item = await request('plan');
      const form = { Decision: 'Approve', Agent: 'reviewer', 'Model Pool': 'thinking' };
      const { error } = await scene.run('chordHandoff', [item], { stepResult: { data: form } });
      expect(error).toBeUndefined();
      expect(await recordedDecision('handoff', item.request.id)).toMatchObject({
        action: 'accept',
        agent: 'reviewer',
        pool: 'thinking',
      });
    });
  });

  test.each<[string, IDataObject, RegExp]>([
    ['a negative time limit', { options: { timeoutSeconds: -1 } }, /0 or more, where 0 means no limit/],
    ['a wait for jobs without a limit', { waitFor: 'jobs' }, /needs a time limit/],
  ])('Chord Send: %s is refused in words', async (_what, parameters, expected) => {
    scene.nextSession();
    const { sessionName } = scene;
    const sent = { message: 'quick', sessionName, ...parameters };
    await refused('chordSend', {}, sent, 'invalid_settings', expected);
  });

  test('0 means no time limit', async () => {
    const item = await request('several');
    const { items } = await scene.run('chordQuestion', [item], {
      answerMode: 'options',
      answers: 'A',
      ...waits(0),
    });
    expect(items('Node')[0]?.json).toMatchObject({ outcome: 'completed', text: 'So be it.' });
  });
});
