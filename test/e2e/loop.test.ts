import { existsSync } from 'node:fs';
import path from 'node:path';

import type { StoredWorkflow } from '../../rig/N8nClient';
import { outputOf } from '../../rig/n8nExecution';
import { Scene, type Scenario } from './support/Scene';
import { ASK_BY_EMAIL, MAIL_REPORT, WorkflowBuilder } from './support/WorkflowBuilder';

/** The model makes these files one after the other, each by a shell command that is asked about, and then reports. */
const makes = (files: string[], report: string) => [
  ...files.map((file) => ({
    reply: {
      text: `Next is ${file}.`,
      tool_calls: [{ name: 'shell', args: { command: `touch ${file}`, description: `make ${file}` } }],
    },
  })),
  { reply: { text: report } },
];

const inOrder = (...steps: object[]): Scenario => ({ ordered: true, steps });

const SEND = { waitFor: 'turn', options: { decisions: 'return' } };
const CONFIRM = { decision: 'fromStep', waitFor: 'turn', waitOptions: { decisions: 'return' } };

describe('Send, e-mail, Confirm, and back to the e-mail', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  async function start(workflow: StoredWorkflow, address: string, body: object): Promise<void> {
    const answer = await scene.client.callWebhook(address, body);
    expect([workflow.name, answer.status]).toEqual([workflow.name, 200]);
  }

  /** Waits for the mail number `id` and answers its form. */
  async function decide(id: number, decision: 'Allow' | 'Deny'): Promise<string> {
    const mail = await scene.mail((one) => one.id === id);
    await scene.answer(mail, { Decision: decision });
    return mail.subject;
  }

  const made = (file: string) => existsSync(path.join(scene.project, file));

  test('goes on over three rounds with one item', async () => {
    scene = await Scene.open(inOrder(...makes(['one', 'two', 'three'], 'All three are settled.')));
    const workflow = await scene.activate(
      new WorkflowBuilder('three rounds')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'three-rounds' })
        .node('Send', 'chordSend', { message: '={{ $json.body.task }}', ...SEND })
        .node('Ask', 'emailSend', ASK_BY_EMAIL)
        .node('Confirm', 'chordConfirm', CONFIRM)
        .node('Report', 'emailSend', MAIL_REPORT)
        .connect('Start', 'Send', 'Report')
        .connect({ node: 'Send', output: 1 }, 'Ask', 'Confirm', 'Report')
        .connect({ node: 'Confirm', output: 1 }, 'Ask')
        .build(),
    );
    await start(workflow, 'three-rounds', { task: 'Make three files.' });

    expect(await decide(1, 'Allow')).toContain('touch one');
    expect(await decide(2, 'Deny')).toContain('touch two');
    expect(await decide(3, 'Allow')).toContain('touch three');
    const report = await scene.mail((mail) => mail.subject.startsWith('Report'));
    expect(report.text).toContain('All three are settled.');
    expect([made('one'), made('two'), made('three')]).toEqual([true, false, true]);

    const execution = await scene.finished(workflow);
    // Each round's decision, and where it went on: twice to the next question, then to the report.
    expect(outputOf(execution, 'Send', 1)[0]?.json).toMatchObject({ event: 'confirm_request' });
    expect(outputOf(execution, 'Confirm', 1, 0)[0]?.json).toMatchObject({ event: 'confirm_request' });
    expect(outputOf(execution, 'Confirm', 1, 1)[0]?.json).toMatchObject({ event: 'confirm_request' });
    expect(outputOf(execution, 'Confirm', 0, 2)[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'All three are settled.',
      decision: { action: 'allow', kind: 'confirm' },
    });
  });

  test('takes several items one by one through Loop Over Items', async () => {
    scene = await Scene.open(
      inOrder(
        ...makes(['red', 'rose'], 'Red is done.'),
        ...makes(['green'], 'Green is done.'),
        ...makes([], 'Blue needs nothing.'),
      ),
    );
    const workflow = await scene.activate(
      new WorkflowBuilder('several items')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'several-items' })
        .oneByOne('body.tasks', 'task')
        .node('Send', 'chordSend', { message: '={{ $json.task }}', ...SEND })
        .node('Ask', 'emailSend', ASK_BY_EMAIL)
        .node('Confirm', 'chordConfirm', CONFIRM)
        .node(
          'Report',
          'emailSend',
          { ...MAIL_REPORT, text: '={{ $input.all().map((item) => item.json.text).join("\\n") }}' },
          { executeOnce: true },
        )
        .connect('Start', 'Split', 'Each', 'Report')
        .connect({ node: 'Each', output: 1 }, 'Send', 'Each')
        .connect({ node: 'Send', output: 1 }, 'Ask', 'Confirm', 'Each')
        .connect({ node: 'Confirm', output: 1 }, 'Ask')
        .build(),
    );
    await start(workflow, 'several-items', { tasks: ['Red, please.', 'Green, please.', 'Blue, please.'] });

    expect(await decide(1, 'Allow')).toContain('touch red');
    expect(await decide(2, 'Deny')).toContain('touch rose');
    expect(await decide(3, 'Allow')).toContain('touch green');
    const report = await scene.mail((mail) => mail.subject.startsWith('Report'));
    expect(report.text.trim().split('\n')).toEqual(['Red is done.', 'Green is done.', 'Blue needs nothing.']);
    expect([made('red'), made('rose'), made('green')]).toEqual([true, false, true]);
    await scene.finished(workflow);
  });
});
