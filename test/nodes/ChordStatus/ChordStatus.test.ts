import type { IDataObject } from 'n8n-workflow';
import { sessionKey, useBench } from '../support/bench';
import { blockedIn } from '../support/blockedNames';
import { confirmRequest } from '../support/FakeSession';
import { chordNode, connect, itemsNode } from '../support/flow';

const bench = useBench();

const run = (parameters: IDataObject, items: IDataObject[] = [{}], tool = false) =>
  bench.engine.execute(
    {
      nodes: [
        itemsNode('Start', items),
        chordNode('Status', tool ? 'chordStatusTool' : 'chordStatus', parameters as never),
      ],
      connections: connect('Start > Status'),
    },
    'Start',
  );

it('gives the snapshot, each open request with its form, and starts nothing', async () => {
  bench.registry.session(sessionKey).ask(confirmRequest('r1'));
  const { items } = await run({});
  expect(items('Status')).toEqual([
    {
      json: expect.objectContaining({
        running: true,
        open_requests: [{ ...confirmRequest('r1'), minutes_left: null, form: expect.any(Array) }],
      }),
      pairedItem: { item: 0 },
    },
  ]);
  // The arguments are the input, too.
  expect(blockedIn(items('Status')[0]!.json)).toEqual(['open_requests.arguments']);
  expect(bench.registry.opened.map(({ process }) => process)).toEqual(['never']);
  expect(bench.registry.leases).toBe(0);
});

it('starts Chord only where that is asked', async () => {
  await run({ options: { startIfNeeded: true } });
  expect(bench.registry.opened.map(({ process }) => process)).toEqual(['now']);
});

it('gives all sessions, one item each', async () => {
  bench.registry.session('one');
  bench.registry.session('two');
  const { items } = await run({ scope: 'all' });
  expect(items('Status').map(({ json }) => (json.session as IDataObject).key)).toEqual(['one', 'two']);
  expect(items('Status').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
});

it('reads the parameters of each item', async () => {
  await run({ sessionName: '={{ $json.name }}' }, [{ name: 'a' }, { name: 'b' }]);
  expect(bench.registry.opened.map(({ address }) => 'sessionName' in address && address.sessionName)).toEqual(
    ['a', 'b'],
  );
});

it('B21: runs as a tool of an AI agent', async () => {
  const { items } = await run({}, [{}], true);
  expect(items('Status')[0]?.json).toMatchObject({ running: true });
});
