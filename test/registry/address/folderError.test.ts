import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../../chord/registry/files/atomicFile';
import { inFolder } from '../../../chord/registry/address/folderError';
import { ChordError } from '../../../chord/errors';
import { failure } from '../../session/support/promises';
import { temporaryFolder } from '../../support/temporaryFolder';
import { Rig } from '../support/Rig';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test.each([
  ['EROFS', 'folder_not_writable', 'read-only'],
  ['EACCES', 'folder_not_writable', 'is not allowed to write'],
  ['EPERM', 'folder_not_writable', 'is not allowed to write'],
  ['ENOENT', 'folder_not_writable', 'removed'],
  ['EIO', 'folder_not_writable', 'EIO'],
  ['ENOSPC', 'disk_full', 'the disk is full'],
  ['EDQUOT', 'disk_full', 'the disk is full'],
])('%s is told as %s, naming the folder and the cure', async (code, published, words) => {
  const error = await failure(inFolder('/n8n/.n8n/chord/locks', failing(code)));
  expect(error.code).toBe(published);
  expect(error.message).toContain('/n8n/.n8n/chord/locks');
  expect(error.message).toContain(words);
  expect(error.description).not.toBe('');
});

test('errors of our own go through', async () => {
  const own = new ChordError('owned_elsewhere', 'owned');
  expect(await failure(inFolder('/f', () => Promise.reject(own)))).toBe(own);
});

test('a file in the place of the folder is said by whatever needs it, and no Chord is started', async () => {
  const folder = join(temporaryFolder(), 'chord');
  writeFileSync(folder, '');
  expect((await failure(writeAtomically(join(folder, 'pins', 'x'), ''))).code).toBe('folder_not_writable');
  const rig = new Rig(folder);
  const error = await failure(rig.open());
  expect(error).toMatchObject({ code: 'folder_not_writable' });
  expect(error.message).toContain(folder);
  expect(rig.starts).toEqual([]);
});
