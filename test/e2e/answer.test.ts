import { exampleWorkflow } from '../../rig/exampleWorkflow';
import { outputOf } from '../../rig/n8nExecution';
import { Scene } from './support/Scene';
import { ASK_BY_EMAIL, WorkflowBuilder } from './support/WorkflowBuilder';

/** Chord asks once whether it may run a command. */
const ASKS = {
  steps: [
    {
      when: { last_role: 'user' },
      reply: { tool_calls: [{ name: 'shell', args: { command: 'touch made', description: 'x' } }] },
    },
    { times: 'any', reply: { text: 'That is all.' } },
  ],
};

/** A workflow that begins by a call and gives Chord a task. */
const task = (address: string) =>
  new WorkflowBuilder('gives a task')
    .node('Start', 'webhook', { httpMethod: 'POST', path: address, responseMode: 'onReceived' })
    .node('Send', 'chordSend', { message: 'Go.', waitFor: 'nothing' })
    .connect('Start', 'Send')
    .build();

describe('Chord Answer on the real n8n', () => {
  let scene: Scene;
  let address: string;
  beforeEach(async () => {
    scene = await Scene.open(ASKS);
    address = scene.folder.split('/').at(-1) ?? '';
  });
  afterEach(() => scene.close());

  test('who answers the form of the shipped workflow too late is told so by mail', async () => {
    const ask = await scene.activate(await exampleWorkflow('ask-by-email', scene.credentials));
    await scene.activate(task(address));
    const other = await scene.activate(
      new WorkflowBuilder('decides meanwhile')
        .node('Start', 'webhook', { httpMethod: 'POST', path: `${address}-deny`, responseMode: 'onReceived' })
        .node('Deny', 'chordConfirm', { decision: 'deny', sessionFrom: 'named', requestFrom: 'open' })
        .connect('Start', 'Deny')
        .build(),
    );
    await scene.client.callWebhook(address);
    const mail = await scene.mail((one) => one.subject.includes('touch made'));
    await scene.client.callWebhook(`${address}-deny`);
    await scene.finished(other);

    await scene.answer(mail, { Decision: 'Allow' });
    const word = await scene.mail((one) => one.id > mail.id);
    expect(word.subject).toMatch(/^Your decision was not accepted: .*touch made/);
    expect(word.text).toContain('has already been denied');
    expect(word.text).toContain('Nothing was sent. The first answer counts.');
    expect(outputOf(await scene.finished(ask), 'Chord Answer')).toEqual([]);
  });

  test('when the time of the approval step is over, the agent is told that nobody answered', async () => {
    const limit = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
    const ask = await scene.activate(
      new WorkflowBuilder('asks for a while')
        .node('Trigger', 'chordTrigger', { preset: 'decisions' })
        .node('Ask', 'emailSend', {
          ...ASK_BY_EMAIL,
          options: { ...ASK_BY_EMAIL.options, limitWaitTime: { values: limit } },
        })
        .node('Answer', 'chordAnswer', { whenNoDecision: 'deny', waitFor: 'turn' })
        .node('Audit', 'chordStatus', { scope: 'decisions' })
        .connect('Trigger', 'Ask', 'Answer', 'Audit')
        .build(),
    );
    await scene.activate(task(address));
    await scene.client.callWebhook(address);
    await scene.mail((one) => one.subject.includes('touch made'));

    const execution = await scene.finished(ask);
    // n8n passes the input of the step on: the request's own item.
    expect(outputOf(execution, 'Ask')[0]?.json).toMatchObject({ event: 'confirm_request' });
    expect(outputOf(execution, 'Answer')[0]?.json).toMatchObject({
      text: 'That is all.',
      decision: { action: 'deny', responder: null },
    });
    expect(outputOf(execution, 'Audit')[0]?.json).toMatchObject({
      action: 'deny',
      reason: 'Nobody answered in time.',
      refused: null,
    });
  });
});
