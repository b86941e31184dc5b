import type { IDataObject } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { until } from '../../support/until';
import { shutDownRegistry } from '../support/ChordProject';
import { codeOf, profiles, Scene, useScene } from '../support/Scene';

jest.setTimeout(60_000);

const question = (id: string, questions: IDataObject[]): Step => ({
  id,
  times: 'any',
  when: { last_user: id, last_role: 'user' },
  reply: { tool_calls: [{ name: 'question', args: { questions } }] },
});

const options = (...labels: string[]) => labels.map((label) => ({ label, description: `about ${label}` }));

const steps: Step[] = [
  {
    id: 'answered',
    times: 'any',
    when: { last_tool: '"selected":', last_role: 'tool' },
    reply: { text: 'Thank you.' },
  },
  { id: 'unanswered', times: 'any', when: { last_role: 'tool' }, reply: { text: 'Then not.' } },
  question('single', [{ header: 'Colour', question: 'Which one?', options: options('Red', 'Blue', '2') }]),
  question('several', [
    { header: 'Tray', question: 'What else?', multiple: true, options: options('A', 'B', 'C, D') },
  ]),
  question('words', [{ header: 'Name', question: 'Whose is it?' }]),
  question('twins', [{ header: 'Twins', question: 'Which one?', options: options('Same', 'Same', 'Other') }]),
  question('two', [
    { header: 'First', question: 'One?', options: options('Yes', 'No') },
    { header: 'Second', question: 'Two?', options: options('Up', 'Down') },
  ]),
  {
    id: 'confirm',
    times: 'any',
    when: { last_user: 'confirm', last_role: 'user' },
    reply: { tool_calls: [{ name: 'shell', args: { command: 'echo one', description: 'for a test' } }] },
  },
];

afterAll(shutDownRegistry);

describe.each(profiles)('Chord Question on %s', (profile) => {
  const scene = useScene(profile, steps);

  const answer = async (item: IDataObject, parameters: IDataObject = {}, more = {}) =>
    await scene.run('chordQuestion', [item], parameters, more);

  const recorded = (id: string) =>
    scene.project.recorded('question').filter(({ request_id: requestId }) => requestId === id);

  const written = (id: string) =>
    scene.project.commands('question').filter(({ request_id: requestId }) => requestId === id).length;

  /** What Chord took as the answer, by label; the answer is read before Chord's agent goes on with it. */
  const settledAs = async (id: string) => {
    await until(() => recorded(id).length > 0, { what: `Chord has recorded an answer to ${id}` });
    return recorded(id).map(({ outcome, answers }) => [outcome, ...answers]);
  };

  /** The oldest builds call a refusal by another name. */
  const refused = profile.startsWith('d1') ? 'cancelled' : 'declined';

  test.each([
    ['a label', { answerMode: 'options', answers: 'Blue' }, 'Blue'],
    ['a number', { answerMode: 'options', answers: '1' }, 'Red'],
    ['a label that is a number goes before the number', { answerMode: 'options', answers: '2' }, '2'],
    ['own words', { answerMode: 'text', customText: ' green ' }, 'green'],
    ['the form', { answerMode: 'fromStep', stepResult: { data: { Answer: 'Red' } } }, 'Red'],
    ['own words in the form', { stepResult: { data: { Answer: '', 'Your Own Answer': 'mauve' } } }, 'mauve'],
    ['a free reply that names an option', { stepResult: { data: { text: ' Blue\n' } } }, 'Blue'],
    ['a free reply in own words', { stepResult: { data: { text: 'the blue one' } } }, 'the blue one'],
    ['plain text', { stepResult: 'Red' }, 'Red'],
  ])('takes %s', async (_what, parameters, label) => {
    const asked = await scene.ask('single');
    const { items, error } = await answer(asked, parameters);
    expect(error).toBeUndefined();
    const { id } = asked.request;
    expect(items('Node')[0]?.json).toMatchObject({
      outcome: 'sent',
      decision: { request_id: id, kind: 'question', action: 'answer' },
    });
    expect(await settledAs(id)).toEqual([['answered', label]]);
  });

  test.each([
    ['by the mode', { answerMode: 'decline' }],
    ['in the form', { stepResult: { data: { Answer: 'Decline to answer' } } }],
    ['by a reply', { stepResult: 'decline to answer ' }],
  ])('declines %s', async (_how, parameters) => {
    const asked = await scene.ask('single');
    const { items } = await answer(asked, parameters);
    expect(items('Node')[0]?.json).toMatchObject({ decision: { action: 'decline' } });
    expect(await settledAs(asked.request.id)).toEqual([[refused]]);
  });

  test('B65: takes several, never cut at commas', async () => {
    const asked = await scene.ask('several');
    await answer(asked, { answerMode: 'options', answers: ['A', 'C, D'] });
    expect(await settledAs(asked.request.id)).toEqual([['answered', 'A', 'C, D']]);
  });

  test('takes several from the form and from the lines of a reply', async () => {
    const form = await scene.ask('several');
    await answer(form, { stepResult: { data: { Answer: ['B', 'C, D'] } } });
    expect(await settledAs(form.request.id)).toEqual([['answered', 'B', 'C, D']]);
    scene.nextSession();
    const reply = await scene.ask('several');
    await answer(reply, { stepResult: { data: { text: 'A\n2' } } });
    expect(await settledAs(reply.request.id)).toEqual([['answered', 'A', 'B']]);
  });

  test('B65: two questions of one call are two items, in order, each with its own answer', async () => {
    const first = await scene.ask('two');
    const { items } = await answer(first, { answerMode: 'options', answers: 'No', waitFor: 'turn' });
    const second = items('Node', 1)[0]?.json as typeof first;
    expect(second).toMatchObject({ event: 'question_request', request: { question: 'Two?' } });
    expect(second.request.id).not.toBe(first.request.id);
    const done = await answer(second, { answerMode: 'options', answers: 'Down', waitFor: 'turn' });
    expect(done.items('Node')[0]?.json).toMatchObject({ outcome: 'completed', text: 'Thank you.' });
    expect([...(await settledAs(first.request.id)), ...(await settledAs(second.request.id))]).toEqual([
      ['answered', 'No'],
      ['answered', 'Down'],
    ]);
  });

  test('waits for the turn, and says what was decided', async () => {
    const asked = await scene.ask('single');
    const { items } = await answer(asked, { answerMode: 'options', answers: 'Red', waitFor: 'turn' });
    expect(items('Node')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'Thank you.',
      decision: { request_id: asked.request.id, action: 'answer' },
    });
  });

  test.each<[string, string, IDataObject, string]>([
    ['an unknown option', 'single', { answerMode: 'options', answers: 'Pink' }, 'invalid_answer'],
    [
      'an unknown option of the form',
      'single',
      { stepResult: { data: { Answer: 'Pink' } } },
      'invalid_answer',
    ],
    [
      'two answers to a single choice',
      'single',
      { answerMode: 'options', answers: 'Red\nBlue' },
      'invalid_answer',
    ],
    ['an option where there is none', 'words', { answerMode: 'options', answers: 'Ada' }, 'invalid_answer'],
    ['a label that two options share', 'twins', { answerMode: 'options', answers: 'Same' }, 'invalid_answer'],
    ['an empty answer', 'single', { answerMode: 'options', answers: '' }, 'no_decision'],
    ['an empty list', 'single', { answerMode: 'options', answers: [] }, 'no_decision'],
    ['own words that are only blanks', 'single', { answerMode: 'text', customText: ' \n ' }, 'no_decision'],
    ['answers that are no texts', 'single', { answerMode: 'options', answers: { a: 1 } }, 'invalid_answer'],
    ['a form with renamed fields', 'single', { stepResult: { data: { Antwort: 'Red' } } }, 'no_decision'],
    ['a form with missing fields', 'single', { stepResult: { data: {} } }, 'no_decision'],
    ['approve buttons', 'single', { stepResult: { data: { approved: true } } }, 'no_decision'],
    ['an array instead of an object', 'single', { stepResult: ['Red'] }, 'no_decision'],
    ['an object as the answer', 'single', { stepResult: { data: { Answer: { a: 1 } } } }, 'no_decision'],
    ['a reply that is only blanks', 'single', { stepResult: { data: { text: ' \u00a0 ' } } }, 'no_decision'],
    [
      'an option beside own words',
      'single',
      { stepResult: { data: { Answer: 'Red', 'Your Own Answer': 'but dark' } } },
      'no_decision',
    ],
    [
      'an option beside a refusal',
      'several',
      { stepResult: { data: { Answer: ['A', 'Decline to answer'] } } },
      'no_decision',
    ],
    [
      'two answers that differ',
      'single',
      { stepResult: { data: { Answer: 'Red' }, Answer: 'Blue' } },
      'no_decision',
    ],
    [
      'a negative time limit',
      'single',
      { answerMode: 'options', answers: 'Red', waitFor: 'turn', waitOptions: { timeoutSeconds: -1 } },
      'invalid_settings',
    ],
    [
      'a wait for jobs without a limit',
      'single',
      { answerMode: 'options', answers: 'Red', waitFor: 'jobs' },
      'invalid_settings',
    ],
    ['a request of another kind', 'confirm', { answerMode: 'options', answers: 'Red' }, 'wrong_kind'],
    ['an unknown mode', 'single', { answerMode: '={{ "guess" }}' }, 'invalid_settings'],
  ])('bad input: %s is refused in words, and nothing is written', async (_what, task, parameters, code) => {
    const asked = await scene.ask(task);
    const execution = await answer(asked, parameters);
    expect(codeOf(execution)).toBe(code);
    expect(execution.error?.message).toMatch(/^[A-Z"].{15,}\.$/);
    expect(written(asked.request.id)).toBe(0);
  });

  test('a typed id of another kind is refused too', async () => {
    const asked = await scene.ask('confirm');
    const execution = await answer(
      { session: asked.session },
      { answerMode: 'options', answers: 'Red', requestFrom: 'id', requestId: asked.request.id },
    );
    expect(codeOf(execution)).toBe('wrong_kind');
  });

  test('a second answer is no answer', async () => {
    const asked = await scene.ask('single');
    await answer(asked, { answerMode: 'options', answers: 'Red', waitFor: 'turn' });
    const late = await answer(asked, { answerMode: 'options', answers: 'Blue' });
    expect(codeOf(late)).toBe('already_answered');
    expect(await settledAs(asked.request.id)).toEqual([['answered', 'Red']]);
  });

  test('on the error output a refusal keeps its code and its pair', async () => {
    const asked = await scene.ask('single');
    const { items, error } = await answer(
      asked,
      { answerMode: 'options', answers: 'Pink' },
      { onError: 'continueErrorOutput' },
    );
    expect(error).toBeUndefined();
    expect(items('Node', 2)).toMatchObject([
      { json: { error: { code: 'invalid_answer' } }, pairedItem: { item: 0 } },
    ]);
  });
});

describe('a question on d3', () => {
  const scene = useScene('d3', steps);

  test('is answered by option id, also where labels are shared', async () => {
    const asked = await scene.ask('twins');
    const [, second] = asked.request.options as { id: string }[];
    const { error } = await scene.run('chordQuestion', [asked], {
      answerMode: 'options',
      answers: second?.id,
    });
    expect(error).toBeUndefined();
    const [command] = scene.project
      .commands('question')
      .filter(({ request_id: id }) => id === asked.request.id);
    expect(command).toMatchObject({ action: 'answer', answers: [second?.id] });
  });

  test('that Chord needs an answer to, refused: the item says that the agent rests', async () => {
    const asked = await scene.ask('single');
    const { items } = await scene.run('chordQuestion', [asked], { answerMode: 'decline' });
    expect(items('Node')[0]?.json).toMatchObject({
      decision: { action: 'decline', note: expect.stringContaining('the agent rests') },
    });
  });

  test('outlives its process: the node continues the session and answers it', async () => {
    const asked = await scene.ask('single');
    const stopped = await scene.control('stopProcess', { options: { force: true } });
    expect(stopped.items('Node')[0]?.json).toMatchObject({ outcome: 'done' });
    const { items, error } = await scene.run('chordQuestion', [asked], {
      answerMode: 'options',
      answers: 'Blue',
    });
    expect(error).toBeUndefined();
    expect(items('Node')[0]?.json).toMatchObject({
      decision: { action: 'answer', verified_by: expect.any(String) },
    });
    const [answered] = await until(() => {
      const found = scene.project
        .recorded('question')
        .filter(({ request_id: id }) => id === asked.request.id);
      return found.length > 0 && found;
    });
    expect(answered).toMatchObject({ outcome: 'answered', answers: ['Blue'] });
  });
});

test('a question of d2 is lost with its process, and nothing is started for it', async () => {
  const scene = await Scene.create('d2', steps);
  const asked = await scene.ask('single');
  await scene.control('stopProcess', { options: { force: true } });
  const starts = scene.project.recorded('session').length;
  const execution = await scene.run('chordQuestion', [asked], { answerMode: 'options', answers: 'Red' });
  expect(codeOf(execution)).toBe('no_longer_pending');
  expect(scene.project.recorded('session')).toHaveLength(starts);
});
