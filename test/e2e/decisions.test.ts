import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { outputOf } from '../../rig/n8nExecution';
import { openForm, submitForm } from '../../rig/n8nForm';
import { formLink, Scene } from './support/Scene';

const asks = (name: string, args: object, text = '') => ({ reply: { text, tool_calls: [{ name, args }] } });

describe('the shipped workflow asks by e-mail whatever Chord asks', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  /** Both example workflows run, and a task has been typed. */
  async function begin() {
    const ask = await scene.activate(await exampleWorkflow('ask-by-email', scene.credentials));
    const run = await scene.activate(await exampleWorkflow('run-task-and-mail-report', scene.credentials));
    await submitForm(await openForm(`${scene.client.url}/form/chord-task`), { Task: 'Begin.' });
    return { ask, run };
  }

  test('a question is answered in the mailed form with several choices; sent twice it counts once', async () => {
    const questions = [
      {
        header: 'Extras',
        question: 'What goes on the tray?',
        multiple: true,
        options: [
          { label: 'Milk', description: 'cold' },
          { label: 'Lemon, sliced', description: 'fresh' },
          { label: 'Honey', description: 'runny' },
        ],
      },
    ];
    scene = await Scene.open({
      ordered: true,
      steps: [asks('question', { questions }), { reply: { text: 'The tray is ready.' } }],
    });
    const { ask, run } = await begin();
    const mail = await scene.mail((one) => one.subject.includes('What goes on the tray?'));
    const form = await openForm(formLink(mail));
    expect(form.fields[0]).toMatchObject({
      label: 'Answer',
      choices: ['Milk', 'Lemon, sliced', 'Honey', 'Decline to answer'],
    });
    await submitForm(form, { Answer: ['Milk', 'Lemon, sliced'] });
    await submitForm(form, { Answer: ['Honey'] }).catch(() => undefined);

    const report = await scene.mail((one) => one.id > mail.id);
    expect(report.text).toContain('The tray is ready.');
    const execution = await scene.finished(ask);
    expect(outputOf(execution, 'Chord Answer').map(({ json }) => json.decision)).toMatchObject([
      { kind: 'question', action: 'answer' },
    ]);
    expect((await scene.client.executions({ workflowId: ask.id })).length).toBe(1);
    await scene.finished(run);
  });

  test('a plan is denied with a reason, comes again, and is approved with agent and model pool', async () => {
    const plan = (name: string) => [
      asks('write', { path: `.chord/plans/${name}.md`, content: `# ${name}\n\n1. Warm the pot.\n` }),
      asks('handoff', { plan_path: `.chord/plans/${name}.md` }),
    ];
    scene = await Scene.open({
      ordered: true,
      steps: [...plan('first'), ...plan('second'), { reply: { text: 'The plan is carried out.' } }],
    });
    const { ask, run } = await begin();
    const first = await scene.mail((one) => one.subject.includes('first.md'));
    expect((await openForm(formLink(first))).fields[0]).toMatchObject({
      label: 'Decision',
      choices: ['Approve', 'Deny', 'Cancel'],
    });
    await scene.answer(first, { Decision: 'Deny', Reason: 'Too short.' });

    const second = await scene.mail((one) => one.subject.includes('second.md'));
    const form = await openForm(formLink(second));
    const choices = (label: string) => form.fields.find((field) => field.label === label)?.choices ?? [];
    await submitForm(form, {
      Decision: 'Approve',
      Agent: choices('Agent')[0] ?? '',
      'Model Pool': choices('Model Pool')[0] ?? '',
    });
    const report = await scene.mail((one) => one.id > second.id);
    expect(report.text).toContain('The plan is carried out.');
    await scene.finished(run);
    const decided = await scene.finished(ask, 'success', 2);
    expect(outputOf(decided, 'Chord Answer')[0]?.json).toMatchObject({
      decision: { kind: 'handoff', action: 'approve' },
    });
  });
});
