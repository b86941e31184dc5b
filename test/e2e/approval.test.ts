import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { outputOf } from '../../rig/n8nExecution';
import { openForm, submitForm } from '../../rig/n8nForm';
import { PUSHES } from './support/scenarios';
import { formLink, Scene } from './support/Scene';
import { expectUndecided } from './support/undecided';

/** Programs that open links before a person does: mail filters and previews. */
const SCANNER = 'Mozilla/5.0 (compatible; MailScanner/2.0; +https://scanner.example)';

describe('the two example workflows, as they ship', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open(PUSHES);
  });
  afterEach(() => scene.close());

  /** Both workflows run; a task has been typed; the mail with the question is here. */
  async function asked() {
    const ask = await scene.activate(await exampleWorkflow('ask-by-email', scene.credentials));
    const run = await scene.activate(await exampleWorkflow('run-task-and-mail-report', scene.credentials));
    await submitForm(await openForm(`${scene.client.url}/form/chord-task`), {
      Task: 'Publish the tea timer.',
    });
    const mail = await scene.mail((one) => one.links.some((link) => link.includes('/webhook-waiting/')));
    return { ask, run, mail };
  }

  test('a task is typed, the question is mailed, the form allows it, the report is mailed', async () => {
    const { ask, run, mail } = await asked();
    expect(mail.subject).toContain('git push origin main');
    const form = await openForm(formLink(mail));
    expect(form.fields).toMatchObject([
      { label: 'Decision', choices: ['Allow', 'Deny'] },
      { label: 'Reason' },
    ]);

    await submitForm(form, { Decision: 'Allow' });
    const report = await scene.mail((one) => one.id > mail.id);
    expect(report.text).toContain('pushed to origin/main');

    const [decided] = outputOf(await scene.finished(ask), 'Chord Answer');
    expect(decided?.json).toMatchObject({ outcome: 'sent', decision: { kind: 'confirm', action: 'allow' } });
    const [finished] = outputOf(await scene.finished(run), 'Chord Send');
    expect(finished?.json).toMatchObject({
      outcome: 'completed',
      turn: { requests: [{ handed_to: 'trigger' }] },
    });
  });

  test('a denial with its reason reaches the agent, and the command does not run', async () => {
    const { run, mail } = await asked();
    await scene.answer(mail, { Decision: 'Deny', Reason: 'Not on a Friday.' });
    const report = await scene.mail((one) => one.id > mail.id);
    expect(report.text).toContain('I did not push');
    await scene.finished(run);
    const pushed = await readFile(path.join(`${scene.project}.git`, 'refs', 'heads', 'main'), 'utf8');
    const local = await readFile(path.join(scene.project, '.git', 'refs', 'heads', 'main'), 'utf8');
    expect(pushed).not.toBe(local);
  });

  test('B33: a scanner that opens every link of the mail decides nothing', async () => {
    const { ask, mail } = await asked();
    for (const link of mail.links) {
      for (const method of ['HEAD', 'GET']) {
        await (await fetch(link, { method, headers: { 'user-agent': SCANNER } })).arrayBuffer();
      }
    }
    await expectUndecided(scene, ask, mail);
  });
});
