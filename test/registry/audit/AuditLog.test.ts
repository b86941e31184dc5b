import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditFileBytes, auditFilesKept, AuditLog } from '../../../chord/registry/audit/AuditLog';
import type { DecisionAttempt } from '../../../chord/session/contract';
import { temporaryFolder } from '../../support/temporaryFolder';

const decision = (more: Partial<DecisionAttempt> = {}): DecisionAttempt => ({
  at: '2030-01-01T00:00:00.000Z',
  session_key: 'c1:default::/p',
  session_id: '1',
  request_id: 'r1',
  kind: 'confirm',
  tool: 'shell',
  arguments: { command: 'git push' },
  action: 'allow',
  reason: '',
  rule: null,
  by: { workflow_id: 'w1', workflow: 'Ask', execution_id: '7', node: 'Chord Confirm' },
  verified_by: 'taken',
  refused: null,
  responder: null,
  responded_at: null,
  ...more,
});

const lines = (folder: string): string[] =>
  readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n');

test('a decision is one line, with a hash in place of the arguments, for this user only', async () => {
  const folder = join(temporaryFolder(), 'chord');
  await new AuditLog(folder).write(decision(), false);
  const [line = ''] = lines(folder);
  expect(JSON.parse(line)).toEqual({
    ...decision(),
    arguments: undefined,
    // printf '{"command":"git push"}' | sha256sum
    arguments_sha256: '30b695dacdb9995167363f05ec1090c63a1940c95fb222a845c2eb6b135b15cf',
  });
  expect(line).not.toContain('git push');
  expect(statSync(join(folder, 'audit.jsonl')).mode & 0o777).toBe(0o600);
});

test('the arguments stand in it where the owner allows it', async () => {
  const folder = temporaryFolder();
  const log = new AuditLog(folder);
  await log.write(decision(), true);
  expect((await log.read(1))[0]).toMatchObject({ arguments: { command: 'git push' } });
});

test('a refused decision without a known request has no hash', async () => {
  const log = new AuditLog(temporaryFolder());
  const refused = { code: 'unknown_request', message: 'no' };
  await log.write(decision({ arguments: null, tool: null, action: null, verified_by: null, refused }), true);
  expect((await log.read(1))[0]).toMatchObject({ arguments_sha256: null, refused });
});

test('many at once stand in the order in which they came, and are read the newest first', async () => {
  const log = new AuditLog(temporaryFolder());
  await Promise.all(['a', 'b', 'c'].map((request_id) => log.write(decision({ request_id }), false)));
  expect((await log.read(2)).map(({ request_id }) => request_id)).toEqual(['c', 'b']);
});

test('a file that is full is put aside; the oldest one goes, and reading goes on into the older ones', async () => {
  const folder = temporaryFolder();
  const log = new AuditLog(folder);
  for (const request_id of ['1', '2', '3', '4', '5', '6']) {
    await log.write(decision({ request_id }), false);
    // Blank lines make the file full, and are no decisions.
    appendFileSync(join(folder, 'audit.jsonl'), '\n'.repeat(auditFileBytes));
  }
  expect(readdirSync(folder)).toHaveLength(auditFilesKept + 1);
  expect((await log.read(10)).map(({ request_id }) => request_id)).toEqual(['6', '5', '4', '3', '2']);
});

test('a damaged line hides no other one', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'audit.jsonl'), '{"at":');
  appendFileSync(join(folder, 'audit.jsonl'), '\n');
  const log = new AuditLog(folder);
  await log.write(decision(), false);
  expect(await log.read(10)).toHaveLength(1);
});

test('a folder that cannot be written loses the line and says so, not the decision', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const log = new AuditLog(join(file, 'chord'));
  await log.write(decision(), false);
  expect(log.lost).toBe(1);
});
