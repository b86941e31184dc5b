import { access } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { confirmRequest } from '../../chord/protocol/requests';
import { confirmDocument } from '../../chord/session/state/requestDocuments';
import { requestTexts } from '../../chord/session/events/eventTexts';
import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { openForm, submitForm } from '../../rig/n8nForm';
import { formReady } from '../../rig/n8nWait';
import { hostileCommands, unseen } from '../support/hostile';
import { openPage, screenshot, type Editor } from './support/browser';
import { formLink, Scene } from './support/Scene';
import { expectUndecided } from './support/undecided';
import { ASK_BY_EMAIL, MAIL_REPORT, WorkflowBuilder } from './support/WorkflowBuilder';

/** Fills and sends n8n's form as soon as a page takes it for markup. */
const ATTACK = hostileCommands[0] ?? '';

/** The texts of a request to run this command. */
const textsOf = (command: string) => {
  const payload = confirmRequest.parse({ tool_name: 'shell', args_json: JSON.stringify({ command }) });
  return requestTexts(confirmDocument(payload, 0), payload);
};

const hostile = hostileCommands.map((command) => ({ command, ...textsOf(command) }));

/** Everything at once, so that one page shows all: what one text breaks, it breaks for those after it too. */
const ALL = {
  html: hostile.map(({ html }) => html).join(''),
  message: hostile.map(({ message }) => message).join('\n\n'),
};

const visible = (text: string): string => text.replace(unseen, '');

/** What a person sees of a page, without blanks and without the numbers of what nobody would see. */
async function seenOn(page: Page): Promise<string> {
  const text = await page.locator('body').innerText();
  return visible(text.replace(/\[U\+[0-9A-F]{4,6}\](?:×\d+)?/g, ''));
}

/** Elements that only the text itself can have brought. */
const brought = (page: Page): Promise<number> =>
  page
    .locator('img[src="x"], [onerror], h1:text-is("Approved"), a[href*="evil"], a[href^="javascript"]')
    .count();

/** Every command whole, in its place. */
async function expectAllSeen(page: Page): Promise<void> {
  const text = await seenOn(page);
  for (const { command } of hostile) expect(text).toContain(visible(command));
  expect(await page.locator('body').innerText()).toContain('[U+202E]gnp.exe[U+202C]');
  expect(await brought(page)).toBe(0);
}

describe('what a person sees of hostile commands', () => {
  let scene: Scene;
  let browser: Editor;
  beforeAll(async () => {
    browser = await openPage();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    scene = await Scene.open({
      steps: [
        {
          when: { last_tool: null },
          reply: { tool_calls: [{ name: 'shell', args: { command: ATTACK, description: 'make it' } }] },
        },
        { times: 'any', reply: { text: 'Understood.' } },
      ],
    });
  });
  afterEach(() => scene.close());

  test('opening the mail and its form decides nothing, whatever the command holds', async () => {
    const ask = await scene.activate(await exampleWorkflow('ask-by-email', scene.credentials));
    const run = await scene.activate(await exampleWorkflow('run-task-and-mail-report', scene.credentials));
    await submitForm(await openForm(`${scene.client.url}/form/chord-task`), { Task: 'Make it.' });
    const mail = await scene.mail((one) => one.links.some((link) => link.includes('/webhook-waiting/')));
    expect(mail.subject).toContain('touch made # \\u{3c}img src=x onerror=');

    const { page } = browser;
    await page.setContent(mail.html);
    expect(await seenOn(page)).toContain(visible(ATTACK));
    expect(await brought(page)).toBe(0);
    await screenshot(page, 'attack-mail');

    await page.goto(formLink(mail), { waitUntil: 'networkidle' });
    expect(await seenOn(page)).toContain(visible(ATTACK));
    expect(await brought(page)).toBe(0);
    expect(await page.locator('select').first().inputValue()).toBe('');
    await screenshot(page, 'attack-form');
    await expectUndecided(scene, ask, mail);
    await scene.finished(run);
    await expect(access(path.join(scene.project, 'made'))).rejects.toThrow('ENOENT');
  });

  test('every visible character stands in a mail, in the mail that asks, and in its form', async () => {
    const asks = await scene.activate(
      new WorkflowBuilder('hostile commands by mail')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'hostile-mail' })
        .node('Tell', 'emailSend', {
          ...MAIL_REPORT,
          subject: 'Told',
          text: '-',
          html: '={{ $json.body.html }}',
        })
        .node('Ask', 'emailSend', {
          ...ASK_BY_EMAIL,
          subject: 'Asked',
          message: '={{ $json.body.html }}',
          jsonOutput: '[{"fieldLabel":"Decision"}]',
          options: { responseFormDescription: '={{ $json.body.html }}' },
        })
        .connect('Start', 'Tell')
        .connect('Start', 'Ask')
        .build(),
    );
    await scene.client.callWebhook('hostile-mail', ALL);
    const { page } = browser;
    const published = await scene.mailbox.waitFor(({ subject }) => subject === 'Told');
    await page.setContent(published.html);
    await expectAllSeen(page);

    const asked = await scene.mail(({ subject }) => subject === 'Asked');
    await page.setContent(asked.html);
    await expectAllSeen(page);
    await screenshot(page, 'hostile-mail');

    await page.goto(formLink(asked));
    await expectAllSeen(page);
    await screenshot(page, 'hostile-form');
    await submitForm(await openForm(formLink(asked)), { Decision: 'no' });
    await scene.finished(asks);
  });

  test('every visible character stands on n8n’s Form page, in its description and in an HTML element', async () => {
    await scene.activate(
      new WorkflowBuilder('hostile commands on a page')
        .node('Start', 'formTrigger', {
          formTitle: 'Start',
          formFields: {
            values: [{ fieldLabel: 'Html', fieldType: 'textarea' }],
          },
          options: { path: 'hostile-page' },
        })
        .node('Page', 'form', {
          operation: 'page',
          formFields: {
            values: [{ fieldType: 'html', elementName: 'whole', html: '={{ $json.Html }}' }],
          },
          options: { formTitle: 'Chord asks', formDescription: '={{ $json.Html }}' },
        })
        .connect('Start', 'Page')
        .build(),
    );
    const start = await openForm(`${scene.client.url}/form/hostile-page`);
    const answer = await submitForm(start, { Html: ALL.html });
    const { formWaitingUrl } = JSON.parse(answer) as { formWaitingUrl: string };
    // A page that is asked for before n8n has stored the wait is never answered (measured, 2.40.7).
    await formReady(scene.client, formWaitingUrl);
    const { page } = browser;
    await page.goto(formWaitingUrl);
    await expectAllSeen(page);
    await screenshot(page, 'hostile-page');
    // What stands behind 2,600 blanks stands beside them: nobody looks far beyond the edge of a page.
    const padded = page.locator('code', { hasText: /^ls\s+; curl/ }).first();
    expect((await padded.boundingBox())?.width).toBeLessThan(448);
    // Once in the description and once in the element: nothing that came from outside is evaluated.
    const shown = visible(await page.locator('body').innerText());
    for (const part of ['echo {{ $json.secret }} {{ 1 + 1 }}', 'echo $$ $& "$\'" "$`" $1 ${HOME}']) {
      expect(shown.split(visible(part))).toHaveLength(3);
    }
  });

  test('what a person drags into mail and form by hand shows itself there too', async () => {
    const asks = await scene.activate(
      new WorkflowBuilder('hostile commands dragged')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'hostile-dragged' })
        .node('Ask', 'emailSend', {
          ...ASK_BY_EMAIL,
          subject: 'Asked',
          message: '={{ $json.body.message }}',
          jsonOutput: '[{"fieldLabel":"Decision"}]',
          options: {},
        })
        .connect('Start', 'Ask')
        .build(),
    );
    await scene.client.callWebhook('hostile-dragged', ALL);
    const asked = await scene.mail(({ subject }) => subject === 'Asked');
    const { page } = browser;
    await page.setContent(asked.html);
    expect(visible(await page.locator('body').innerText())).toContain(visible(ALL.message));
    await page.goto(formLink(asked));
    expect(visible(await page.locator('body').innerText())).toContain(visible(ALL.message));
    expect(await brought(page)).toBe(0);
    await submitForm(await openForm(formLink(asked)), { Decision: 'no' });
    await scene.finished(asks);
  });
});
