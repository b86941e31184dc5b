import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { isMainProcess, registry } from '../../../../nodes/shared/run/registry';
import { temporaryFolder } from '../../../support/temporaryFolder';
import { sessionKey, useBench } from '../../support/bench';
import { confirmRequest } from '../../support/FakeSession';
import { chordNode, connect, itemsNode, type ChordNodeType } from '../../support/flow';

const bench = useBench();

beforeEach(() => {
  process.env.EXECUTIONS_MODE = 'queue';
});
afterEach(() => {
  delete process.env.EXECUTIONS_MODE;
});

const request = { event: 'confirm_request', session: { key: sessionKey }, request: confirmRequest('r1') };

const run = async (type: ChordNodeType, parameters: IDataObject) =>
  await bench.engine.execute(
    {
      nodes: [
        itemsNode('Start', [request as never]),
        chordNode('Node', type, parameters as never, { onError: 'continueRegularOutput' }),
      ],
      connections: connect('Start > Node'),
    },
    'Start',
    { mode: 'trigger' },
  );

it.each<[ChordNodeType, IDataObject]>([
  ['chordSend', { message: 'Go on.' }],
  ['chordSend', { message: 'Go on.', options: { waitMode: 'suspend' } }],
  ['chordAnswer', { stepResult: 'Allow' }],
  ['chordConfirm', { decision: 'allow' }],
  ['chordQuestion', { answerMode: 'decline' }],
  ['chordHandoff', { decision: 'cancel' }],
  ['chordStatus', {}],
  ['chordStatus', { scope: 'all' }],
  ['chordStatus', { scope: 'decisions' }],
  ['chordControl', { operation: 'stopProcess' }],
  ['chordControl', { operation: 'listRoles' }],
])('B22: %s %j fails and reaches no session', async (type, parameters) => {
  bench.registry.session(sessionKey).ask(confirmRequest('r1'));
  const { items } = await run(type, parameters);
  expect(items('Node')).toEqual([
    {
      json: {
        error: expect.objectContaining({
          code: 'queue_mode',
          description: expect.stringContaining('regular mode'),
        }),
      },
      pairedItem: { item: 0 },
    },
  ]);
  expect(bench.registry.opened).toEqual([]);
});

it('a trigger cannot be activated nor tested live, but gives its sample', async () => {
  const trigger = (testWith: string) => chordNode('Trigger', 'chordTrigger', { testWith });
  await expect(bench.engine.activate(trigger('live'))).rejects.toMatchObject({
    context: { code: 'queue_mode' },
  });
  await expect(bench.engine.activate(trigger('live'), 'manual')).rejects.toMatchObject({
    context: { code: 'queue_mode' },
  });
  const { response, emitted } = await bench.engine.activate(trigger('sample'), 'manual');
  await response.manualTriggerFunction?.();
  expect(emitted).toHaveLength(1);
  expect(bench.registry.opened).toEqual([]);
});

it('a list in the editor says why it is empty', async () => {
  const node = chordNode('Control', 'chordControl', { operation: 'setRole' });
  await expect(bench.engine.search(node, 'searchRoles')).rejects.toThrow('queue mode');
});

describe('the mode is seen', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });

  it.each([
    ['named by the settings', { argv: ['node', 'n8n', 'start'], env: { EXECUTIONS_MODE: 'queue' } }],
    ['in a worker', { argv: ['node', 'n8n', 'worker'], env: {} }],
    ['in a webhook process', { argv: ['node', 'n8n', 'webhook'], env: {} }],
  ])('%s', (_, host) => {
    expect(() => registry(host)).toThrow('queue mode');
    expect(isMainProcess(host)).toBe(host.argv[2] === 'start');
  });

  it('named in a file', () => {
    const file = path.join(folder, 'mode');
    const host = { argv: ['node', 'n8n'], env: { EXECUTIONS_MODE_FILE: file } };
    writeFileSync(file, 'queue\n');
    expect(() => registry(host)).toThrow('queue mode');
    writeFileSync(file, 'regular\n');
    expect(registry(host)).toBe(bench.registry);
  });

  it('a file that cannot be read names none', () => {
    expect(registry({ argv: ['node', 'n8n'], env: { EXECUTIONS_MODE_FILE: folder } })).toBe(bench.registry);
  });

  it.each([{}, { EXECUTIONS_MODE: 'regular' }])('not with %j', (env) => {
    expect(registry({ argv: ['node', 'n8n', 'start'], env })).toBe(bench.registry);
  });
});
