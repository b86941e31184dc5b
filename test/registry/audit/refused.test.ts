import type { DecisionAttempt } from '../../../chord/session';
import { Rig } from '../support/Rig';

const refused = (credential_id: string, session_key = ''): DecisionAttempt => ({
  at: '2030-01-01T00:00:00.000Z',
  credential_id,
  session_key,
  session_id: '',
  request_id: '',
  kind: 'confirm',
  tool: null,
  arguments: null,
  action: null,
  reason: '',
  rule: null,
  by: null,
  responder: null,
  responded_at: null,
  verified_by: null,
  refused: { code: 'no_decision', message: 'There is no decision.' },
});

test("a decision that a node refused before it knew the session shows under that node's credential only", async () => {
  const { registry } = new Rig();
  await registry.noteRefused(refused('c1'));
  await registry.noteRefused(refused('c2'));
  expect(await registry.decisions('c1', 10)).toMatchObject([{ credential_id: 'c1' }]);
  expect(await registry.decisions('c2', 10)).toMatchObject([{ credential_id: 'c2' }]);
});

test('one that names the session of another credential is the refusing one’s', async () => {
  const { registry } = new Rig();
  await registry.noteRefused(refused('c1', 'c2:default::/project'));
  expect(await registry.decisions('c1', 10)).toHaveLength(1);
  expect(await registry.decisions('c2', 10)).toEqual([]);
});
