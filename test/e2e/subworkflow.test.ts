import { existsSync } from 'node:fs';
import path from 'node:path';

import { outputOf } from '../../rig/n8nExecution';
import { Scene } from './support/Scene';
import { ASK_BY_EMAIL, WorkflowBuilder } from './support/WorkflowBuilder';

const asksTo = (command: string) => ({
  reply: { tool_calls: [{ name: 'shell', args: { command, description: 'for a test' } }] },
});

describe('a sub-workflow that asks and answers', () => {
  let scene: Scene;
  afterEach(() => scene.close());

  test('finds the request in the item that it was passed, after its mail was answered and it went on', async () => {
    scene = await Scene.open({
      ordered: true,
      steps: [asksTo('touch made'), { reply: { text: 'The file is made.' } }],
    });
    const approval = await scene.activate(
      new WorkflowBuilder('approval')
        .node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' })
        .node('Ask', 'emailSend', ASK_BY_EMAIL)
        .node('Note', 'set', {
          mode: 'raw',
          jsonOutput: '={{ { data: $json.data, noted: true } }}',
          options: {},
        })
        .node('Confirm', 'chordConfirm', { decision: 'fromStep', waitFor: 'turn' })
        .connect('Called', 'Ask', 'Note', 'Confirm')
        .build(),
    );
    const caller = await scene.activate(
      new WorkflowBuilder('caller')
        .node('Start', 'webhook', { httpMethod: 'POST', path: 'calls-approval' })
        .node('Send', 'chordSend', { message: 'Make it.', options: { decisions: 'return' } })
        .node('Approve', 'executeWorkflow', {
          workflowId: { __rl: true, mode: 'id', value: approval.id },
          options: { waitForSubWorkflow: true },
        })
        .connect('Start', 'Send')
        .connect({ node: 'Send', output: 1 }, 'Approve')
        .build(),
    );
    await scene.client.callWebhook('calls-approval');
    const mail = await scene.mail((one) => one.subject.includes('touch made'));
    await scene.answer(mail, { Decision: 'Allow' });

    const answered = outputOf(await scene.finished(approval), 'Confirm')[0]?.json;
    expect(answered).toMatchObject({ text: 'The file is made.', decision: { action: 'allow' } });
    // n8n 1 gives the caller of a sub-workflow that waited what it had passed, n8n 2 the result (measured).
    expect(outputOf(await scene.finished(caller), 'Approve')).toHaveLength(1);
    expect(existsSync(path.join(scene.project, 'made'))).toBe(true);
  });
});
