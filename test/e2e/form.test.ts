import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { outputOf } from '../../rig/n8nExecution';
import { openForm, submitForm } from '../../rig/n8nForm';
import type { Mail } from '../../rig/Mailbox';
import { encode } from '../../simulator/wire/json';
import { openPage } from './support/browser';
import { formLink, Scene } from './support/Scene';
import { ASK_BY_EMAIL, MAIL_REPORT, WorkflowBuilder } from './support/WorkflowBuilder';

/** Everything that the form's way through n8n and a browser could change. */
const HOSTILE = String.raw`$$ $' $& <b> &lt; "\n" {{ 1 + 1 }}`;

const runs = (command: string) => ({ reply: { tool_calls: [{ name: 'shell', args: { command } }] } });

const writes = (file: string) => `\nprintf '%s' '${HOSTILE.replaceAll("'", "'\\''")}' > ${file}\n# end`;

describe('the form that a request brings along', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  /** A task is sent, and what Chord asks goes by mail to a person. */
  async function begin(approvalForm: string[], steps: object[]) {
    scene = await Scene.open({ ordered: true, steps });
    const ask = await scene.activate(
      new WorkflowBuilder('Ask')
        .node('Chord Trigger', 'chordTrigger', { options: { approvalForm } })
        .node('Ask', 'emailSend', ASK_BY_EMAIL)
        .node('Answer', 'chordAnswer')
        .connect('Chord Trigger', 'Ask', 'Answer')
        .build(),
    );
    const run = await scene.activate(
      new WorkflowBuilder('Run')
        .node('Task', 'webhook', { path: path.basename(scene.folder), httpMethod: 'POST' })
        .node('Send', 'chordSend', { message: 'Begin.' })
        .node('Report', 'emailSend', MAIL_REPORT)
        .connect('Task', 'Send', 'Report')
        .build(),
    );
    await fetch(`${scene.client.url}/webhook/${path.basename(scene.folder)}`, { method: 'POST' });
    return { ask, run };
  }

  const question = (mailed: Mail | undefined) =>
    scene.mail(
      (one) => one.id > (mailed?.id ?? 0) && one.links.some((link) => link.includes('webhook-waiting')),
    );

  const report = (mailed: Mail) =>
    scene.mail((one) => one.id > mailed.id && one.subject.startsWith('Report'));

  const written = (file: string) => readFile(path.join(scene.project, file), 'utf8');

  test('shows labels that n8n would change as they are, and each is answered as itself', async () => {
    const labels = ['Use $HOME', 'Use $$HOME', "$' $$' $&", '$` <b>bold</b> &lt;', '$$'];
    const options = labels.map((label) => ({ label, description: 'x' }));
    const asks = {
      tool_calls: [{ name: 'question', args: { questions: [{ header: 'H', question: 'Which?', options }] } }],
    };
    // What the agent is told stands in JSON.
    const [last, ...others] = labels.map((label) => encode(label).slice(1, -1)).reverse();
    const { ask } = await begin(
      [],
      [
        { reply: asks },
        ...others.reverse().map((label) => ({ when: { last_tool: label }, reply: asks })),
        { when: { last_tool: last }, reply: { text: 'All five were told.' } },
      ],
    );
    const shown = labels.map((label, index) => `${index + 1}. ${label}`);
    let mail: Mail | undefined;
    for (const choice of shown) {
      mail = await question(mail);
      const browser = await openPage();
      const { page } = browser;
      await page.goto(formLink(mail));
      const list = page.locator('select').first();
      expect((await list.locator('option').allInnerTexts()).slice(1)).toEqual([
        ...shown,
        'Decline to answer',
      ]);
      await list.selectOption(choice);
      await page.locator('#submit-btn').click();
      await page.getByText('Got it, thanks').waitFor();
      await browser.close();
    }
    expect((await report(mail!)).text).toContain('All five were told.');
    await scene.finished(ask, 'success', labels.length);
  });

  test('a command that nobody touched runs as it was asked, and its rule allows it alone; in a browser', async () => {
    const command = writes('out.txt');
    const { ask } = await begin(
      ['edit', 'remember', 'name'],
      [runs(command), runs(command), runs('printf x > other.txt'), { reply: { text: 'It is written.' } }],
    );
    const mail = await question(undefined);
    const browser = await openPage();
    const { page } = browser;
    await page.goto(formLink(mail));
    const field = (label: string) =>
      page.locator('.form-group', { hasText: label }).locator('textarea').first();
    expect(await field('Command').inputValue()).toBe(command.slice(1));
    expect(await field('Rule').inputValue()).toBe(command.slice(1));
    await page.locator('select').first().selectOption('Allow for This Session');
    await page.locator('.form-group', { hasText: 'Your Name' }).locator('input').fill('Ann');
    await page.locator('#submit-btn').click();
    await page.getByText('Got it, thanks').waitFor();
    await browser.close();

    // The same command is not asked for again, the next one is.
    const next = await question(mail);
    expect(next.subject).toContain('other.txt');
    expect(await written('out.txt')).toBe(HOSTILE);
    await scene.answer(next, { Decision: 'Deny' });
    expect((await report(next)).text).toContain('It is written.');
    const [decided] = outputOf(await scene.finished(ask, 'success', 2), 'Answer');
    expect(decided?.json).toMatchObject({ decision: { action: 'deny' } });
  });

  test('a changed command runs instead', async () => {
    const { ask } = await begin(['edit'], [runs(writes('out.txt')), { reply: { text: 'It is written.' } }]);
    const mail = await question(undefined);
    const form = await openForm(formLink(mail));
    expect(form.fields.map(({ label }) => label)).toEqual(['Decision', 'Command', 'Reason']);
    const shown = form.fields[1]?.value ?? '';
    expect(shown).toBe(writes('out.txt').slice(1));
    await submitForm(form, { Decision: 'Allow', Command: shown.replace('out.txt', 'changed.txt') });
    await report(mail);
    expect(await written('changed.txt')).toBe(HOSTILE);
    expect(existsSync(path.join(scene.project, 'out.txt'))).toBe(false);
    await scene.finished(ask);
  });

  test('a form without changes sends the fields as they are, and allows this once', async () => {
    const command = writes('out.txt');
    await begin(['edit', 'remember'], [runs(command), runs(command), { reply: { text: 'It is written.' } }]);
    const mail = await question(undefined);
    await submitForm(await openForm(formLink(mail)), { Decision: 'Allow' });
    const again = await question(mail);
    expect(await written('out.txt')).toBe(HOSTILE);
    await submitForm(await openForm(formLink(again)), { Decision: 'Allow' });
    await report(again);
  });
});
