import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey } from '../../chord/registry/key';
import { resolveSession } from '../../chord/registry/resolveSession';
import { temporaryFolder } from '../support/temporaryFolder';
import { settingsFor } from './support/settings';

const folder = temporaryFolder();
const project = join(folder, 'p');
const outside = join(folder, 'outside');
for (const path of [project, outside, join(project, 'x')]) mkdirSync(path);
symlinkSync(project, join(folder, 'link'));

const named = (projectDirectory: string, sessionName = 'default', worktree = '') => ({
  projectDirectory,
  sessionName,
  worktree,
});

test.each(['', '/', '/.', '/x/..'])(
  'B52: the folder spelled with "%s" at its end is the same session',
  async (end) => {
    const parts = await resolveSession(settingsFor(project), named(project + end));
    expect(formatKey(parts)).toBe(`c1:default::${project}`);
  },
);

test('B52: a link to the folder is the same session', async () => {
  const parts = await resolveSession(settingsFor(project), named(join(folder, 'link')));
  expect(parts.projectDirectory).toBe(project);
});

test('empty names mean those of the credential', async () => {
  expect(await resolveSession(settingsFor(project), named('', ' ', ' '))).toEqual({
    credentialId: 'c1',
    name: 'default',
    worktree: '',
    projectDirectory: project,
  });
});

test('a key from an item names the same session', async () => {
  const parts = await resolveSession(settingsFor(project), named(project, 'night run', 'fix'));
  expect(await resolveSession(settingsFor(project), { key: formatKey(parts) })).toEqual(parts);
});

test('a key of another credential is refused', async () => {
  await expect(resolveSession(settingsFor(project), { key: `c2:default::${project}` })).rejects.toMatchObject(
    { code: 'wrong_session' },
  );
});

test.each([
  ['a name', named(outside)],
  ['a key', { key: `c1:default::${outside}` }],
])('a directory outside the allowed ones is refused by %s', async (_, address) => {
  await expect(resolveSession(settingsFor(project), address)).rejects.toMatchObject({
    code: 'directory_not_allowed',
  });
});

test.each([
  ['the worktree', named(project, 'default', '--resume')],
  ['the session name', named(project, 'a\nb')],
])('%s is refused where it would harm', async (_, address) => {
  await expect(resolveSession(settingsFor(project), address)).rejects.toMatchObject({
    code: 'invalid_settings',
  });
});

test('nothing is looked up here for a Chord that runs elsewhere', async () => {
  const settings = settingsFor('/nowhere', { runsElsewhere: true });
  expect((await resolveSession(settings, named('/not/here'))).projectDirectory).toBe('/not/here');
});
