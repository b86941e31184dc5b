import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Engine } from '../../../support/Engine';
import { asks, ChordProject, shutDownRegistry } from '../../support/ChordProject';
import { chordNode, connect, itemsNode, type ChordNodeType } from '../../support/flow';

jest.setTimeout(60_000);

let engine: Engine;

beforeAll(async () => {
  const project = await ChordProject.create([
    { times: 'any', when: { last_role: 'tool' }, reply: { text: 'Done.' } },
    { times: 'any', when: { last_role: 'user' }, reply: asks('echo secret-looking-text') },
  ]);
  engine = await project.engine();
});
afterAll(shutDownRegistry);

const run = async (type: ChordNodeType, item: IDataObject, parameters: IDataObject, executionId: string) => {
  const node = chordNode('Node', type, parameters as never, { onError: 'continueRegularOutput' });
  const { items } = await engine.execute(
    { nodes: [itemsNode('Start', [item]), node], connections: connect('Start > Node') },
    'Start',
    { executionId },
  );
  return items;
};

/** The audit as Chord Status shows it, the newest decision first. */
const decisions = async (): Promise<IDataObject[]> =>
  (await run('chordStatus', { any: 1 }, { scope: 'decisions' }, 'look'))('Node').map(({ json }) => json);

test('every decision that is tried stands in the audit: carried out, too late, and none at all', async () => {
  const asked = (await run('chordSend', { any: 1 }, { message: 'go' }, 'send'))('Node', 1)[0]?.json;
  const { id } = asked?.request as { id: string };
  await run('chordConfirm', asked ?? {}, { decision: 'fromStep', stepResult: 'perhaps' }, 'none');
  await run('chordConfirm', asked ?? {}, { decision: 'deny', denyReason: 'not today' }, 'first');
  await run('chordConfirm', asked ?? {}, { decision: 'allow' }, 'late');

  const [late, first, none] = await decisions();
  expect(first).toMatchObject({
    request_id: id,
    kind: 'confirm',
    tool: 'shell',
    action: 'deny',
    reason: 'not today',
    refused: null,
    by: { execution_id: 'first', node: 'Node' },
    session_key: (asked?.session as IDataObject).key,
    arguments_sha256: createHash('sha256')
      .update(JSON.stringify({ command: 'echo secret-looking-text', description: 'for a test' }))
      .digest('hex'),
  });
  expect(first?.verified_by).toEqual(expect.stringMatching(/^(event|taken)$/));
  expect(late).toMatchObject({
    request_id: id,
    verified_by: null,
    refused: { code: 'already_answered' },
    by: { execution_id: 'late' },
  });
  expect(none).toMatchObject({
    action: null,
    refused: { code: 'no_decision' },
    by: { execution_id: 'none' },
  });
  expect(JSON.stringify(await decisions())).not.toContain('secret-looking-text');
});

test('with the switch of the credential the arguments stand in it', async () => {
  engine.credentials.chordHeadlessApi = { ...engine.credentials.chordHeadlessApi, auditArguments: true };
  const asked = (await run('chordSend', { any: 1 }, { message: 'go', sessionName: 'open' }, 'send-2'))(
    'Node',
    1,
  );
  await run('chordConfirm', asked[0]?.json ?? {}, { decision: 'allow' }, 'open');
  expect((await decisions())[0]).toMatchObject({
    arguments: { command: 'echo secret-looking-text' },
    // n8n's expressions block the other name.
    input: { command: 'echo secret-looking-text' },
  });
});
