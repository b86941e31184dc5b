import { openForm, submitForm } from '../rig/n8nForm';
import type { Mailbox } from '../rig/Mailbox';
import { executionReport } from '../rig/executionReport';
import type { N8nServer } from '../rig/N8nServer';
import { formLinkOf, formReady } from '../rig/n8nWait';
import { Problem } from '../rig/Problem';

/** What is needed to play the person's part. */
export interface Round {
  server: N8nServer;
  mailbox: Mailbox;
  taskForm: string;
  say: (line: string) => void;
}

const TASK = 'Look through the tea timer and tell me what you find.';

/** The whole round as a person would do it: task, mail, form, report. Rejects with the reason if it stops anywhere. */
export async function playRound({ server, mailbox, taskForm, say }: Round): Promise<void> {
  const inTime = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new Problem(
        `${what}: ${(error as Error).message}\n${await executionReport(server.client)}`,
        `n8n's log ends with:\n${await server.logTail(15)}`,
        {
          cause: error,
        },
      );
    }
  };

  say(`1  Task entered in n8n's form: "${TASK}"`);
  await inTime(
    'The task could not be submitted',
    openForm(taskForm).then((form) => submitForm(form, { Task: TASK })),
  );

  const question = await inTime(
    'No mail with a question arrived',
    mailbox.waitFor((mail) => formLinkOf(mail.links) !== undefined),
  );
  say(`2  Mail arrived: "${question.subject}"`);
  const link = formLinkOf(question.links) ?? '';
  const form = await inTime(
    'The form behind the mail did not open',
    formReady(server.client, link).then(() => openForm(link)),
  );
  say(
    `   Its form asks for: ${form.fields.map((field) => `${field.label}${field.choices.length ? ` (${field.choices.join(', ')})` : ''}`).join('; ')}`,
  );
  await inTime('The form could not be submitted', submitForm(form, { Decision: 'Allow' }));
  say('   Answered: Allow');

  const report = await inTime(
    'No mail with the report arrived',
    mailbox.waitFor((mail) => mail.id > question.id),
  );
  say(`3  Mail arrived: "${report.subject}"\n`);
  say(report.text.trim().replace(/^/gm, '     '));
  if (!report.text.includes('looked at the project folder')) {
    throw new Problem(
      'The report does not say that the allowed command ran.',
      'Look at the workflows with: npm run demo',
    );
  }
  say('\nThe round is complete.');
}
