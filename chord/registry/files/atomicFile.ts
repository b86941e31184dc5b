import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inFolder } from '../address/folderError';
import { makeFolder } from './folders';

/**
 * Writes a file of our own that nobody else can read, whole and on the disk, under a name that nobody uses yet.
 *
 * @throws ChordError `folder_not_writable`, `disk_full`
 */
export const writeTemporary = (path: string, content: string): Promise<string> =>
  inFolder(dirname(path), () => writeNew(path, content));

async function writeNew(path: string, content: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await makeFolder(dirname(path));
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/**
 * Replaces a file so that readers, and a machine that loses power, see the old content or the new, never a part.
 *
 * @throws ChordError `folder_not_writable`, `disk_full`
 */
export const writeAtomically = (path: string, content: string): Promise<void> =>
  inFolder(dirname(path), () => replace(path, content));

async function replace(path: string, content: string): Promise<void> {
  const temporary = await writeTemporary(path, content);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a rename last. Windows cannot open folders; there the file system's journal has to do. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
