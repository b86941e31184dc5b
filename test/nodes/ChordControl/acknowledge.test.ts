import type { UnknownInputDocument } from '../../../chord/session/contract';
import { sessionKey, useBench } from '../support/bench';
import { itemOf } from '../support/controlScene';
import { chordNode, connect, itemsNode } from '../support/flow';

const bench = useBench();

const acknowledge = async () =>
  itemOf(
    await bench.engine.execute(
      {
        nodes: [
          itemsNode('Start', [{}]),
          chordNode('Node', 'chordControl', { operation: 'acknowledgeUnknown' }),
        ],
        connections: connect('Start > Node'),
      },
      'Start',
    ),
  );

const lost = (text: string): UnknownInputDocument => ({
  kind: 'message',
  request_id: 'm1',
  text,
  since: '2030-01-01T00:00:00.000Z',
});

test('says what is known to be unknown now, in words that nothing reads as markup, and starts nothing', async () => {
  const unknown_inputs = [lost('the message "<b>Pay</b>"'), lost('the answer to request q1')];
  bench.registry.session(sessionKey).acknowledged = { unknown_inputs, transfer_lifted: true };
  expect(await acknowledge()).toMatchObject({
    operation: 'acknowledgeUnknown',
    outcome: 'done',
    summary:
      'It is noted that nobody knows what became of the message "\\u{3c}b>Pay\\u{3c}/b>" and the answer to request q1. ' +
      'The session accepts messages again after a transfer.',
    unknown_inputs,
    transfer_lifted: true,
    session: { key: sessionKey },
  });
  expect(bench.registry.opened.map(({ process }) => process)).toEqual(['never']);
});

test('where nothing was unknown, nothing is changed', async () => {
  expect(await acknowledge()).toMatchObject({
    outcome: 'unchanged',
    summary: 'There was nothing to acknowledge.',
    unknown_inputs: [],
    transfer_lifted: false,
  });
});
