import type { IDataObject } from 'n8n-workflow';
import type { ActiveTrigger } from '../../support/Engine';
import { until } from '../../support/until';
import { chordNode } from '../support/flow';
import { useTasks } from '../support/Tasks';

jest.setTimeout(60_000);

const tasks = useTasks();

describe('Trigger', () => {
  const activate = (parameters: IDataObject) =>
    tasks.engine.activate(chordNode('Chord Trigger', 'chordTrigger', tasks.named(parameters)));

  const close = async ({ response }: ActiveTrigger) => await response.closeFunction?.();

  it('gets the request of a Send, which then waits for the end of its turn', async () => {
    const active = await activate({ preset: 'essentials' });
    const sending = tasks.send([{ task: 'go' }]);
    await until(() => active.emitted.length === 1);
    const { json } = active.emitted[0]!;
    expect(json).toMatchObject({
      event: 'confirm_request',
      request: { kind: 'confirm', form: expect.any(Array) },
    });
    await tasks.confirm([json], { decision: 'allow' });
    const { items } = await sending;
    expect(items('Send')[0]?.json).toMatchObject({
      text: 'It is done.',
      turn: { requests: [{ kind: 'confirm', handed_to: 'trigger' }] },
    });
    await until(() => active.emitted.length === 2);
    expect(active.emitted[1]?.json).toMatchObject({
      event: 'turn_finished',
      text: 'It is done.',
      outcome: 'completed',
    });
    await close(active);
  });

  it('gets requests that are open already, once', async () => {
    const item = await tasks.ask();
    for (const expected of [1, 0]) {
      const active = await activate({});
      if (expected === 1) await until(() => active.emitted.length === 1);
      expect(active.emitted.map(({ json }) => (json.request as { id: string }).id)).toEqual(
        Array<string>(expected).fill(item.request.id),
      );
      await close(active);
    }
  });

  it('rejects for a project directory that is not there, with a sentence that says what to do', async () => {
    await expect(activate({ projectDirectory: '/does/not/exist' })).rejects.toMatchObject({
      context: { code: expect.stringMatching(/^directory_/) },
    });
  });
});
