import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ChordError } from '../../chord/errors';
import { explainRepository } from '../../chord/process/explainRepository';
import { temporaryFolder } from '../support/temporaryFolder';

const refused = new ChordError('not_a_repository', 'there is none');
const launch = (directory: string, PATH = process.env.PATH ?? '') => ({
  directory,
  environment: { PATH },
  platform: process.platform,
});

test('the repository of another user is named, with both users and the cure', async () => {
  const root = temporaryFolder();
  execFileSync('git', ['init', '-q', root]);
  mkdirSync(path.join(root, 'below'));
  const error = await explainRepository(refused, launch(path.join(root, 'below')), 12345);
  expect(error.code).toBe('repository_not_trusted');
  expect(error.message).toContain(root);
  expect(error.message).toContain('ID 12345');
  expect(error.description).toContain(`git config --global --add safe.directory "${root}"`);
});

test('a folder that is none stays so, and so does what is known of a Chord elsewhere', async () => {
  expect(await explainRepository(refused, launch(temporaryFolder()), 12345)).toBe(refused);
  const elsewhere = { ...launch(''), directory: undefined };
  expect(await explainRepository(refused, elsewhere, 12345)).toBe(refused);
});

test('where there is no git, that is said', async () => {
  const error = await explainRepository(refused, launch(temporaryFolder(), '/nowhere'));
  expect(error).toMatchObject({
    code: 'binary_not_found',
    message: expect.stringContaining('git') as string,
  });
});

test('every other error is left as it is', async () => {
  const other = new ChordError('session_held', 'held');
  expect(await explainRepository(other, launch(temporaryFolder(), '/nowhere'))).toBe(other);
});
