import { Rig } from '../support/Rig';
import { refusedAttempt } from './support/refusedAttempt';

test("a decision that a node refused before it knew the session shows under that node's credential only", async () => {
  const { registry } = new Rig();
  await registry.noteRefused(refusedAttempt('c1'));
  await registry.noteRefused(refusedAttempt('c2'));
  expect(await registry.decisions('c1', 10)).toMatchObject([{ credential_id: 'c1' }]);
  expect(await registry.decisions('c2', 10)).toMatchObject([{ credential_id: 'c2' }]);
});

test('one that names the session of another credential is the refusing one’s', async () => {
  const { registry } = new Rig();
  await registry.noteRefused(refusedAttempt('c1', 'c2:default::/project'));
  expect(await registry.decisions('c1', 10)).toHaveLength(1);
  expect(await registry.decisions('c2', 10)).toEqual([]);
});
