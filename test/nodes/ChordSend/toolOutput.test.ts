import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/bench';
import { confirmRequest } from '../support/FakeSession';
import { chordNode, connect, itemsNode } from '../support/flow';

const bench = useBench();

const { session } = bench;

describe('as a tool of an AI agent', () => {
  const asTool = (parameters: IDataObject) =>
    bench.engine.execute(
      {
        nodes: [itemsNode('Start', [{}]), chordNode('Send', 'chordSendTool', parameters as never)],
        connections: connect('Start > Send'),
      },
      'Start',
    );

  it('B21: runs, and gives the result on the first output', async () => {
    const { items, error } = await asTool({ message: 'go' });
    expect(error).toBeUndefined();
    expect(items('Send')[0]?.json).toMatchObject({ outcome: 'completed', text: 'go' });
  });

  it('says on the first output that a person must decide', async () => {
    session().onSend = () => ({
      kind: 'needs_decision',
      events: [session().ask(confirmRequest('r1'))],
    });
    const { items } = await asTool({ message: 'go' });
    expect(items('Send')[0]?.json).toMatchObject({ event: 'confirm_request', request: { id: 'r1' } });
    expect(items('Send')[0]?.json.note).toContain('a person');
    expect(items('Send', 1)).toEqual([]);
  });

  it('does not suspend, and sends nothing then', async () => {
    const { error } = await asTool({ message: 'go', options: { waitMode: 'suspend' } });
    expect(error?.context.code).toBe('invalid_settings');
    expect(session().sent).toEqual([]);
  });
});
