import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const made: string[] = [];

afterAll(async () => {
  for (const folder of made.splice(0)) await remove(folder);
});

/** An agent that is just finishing may still write: what it adds after the listing is removed at the next try. */
async function remove(folder: string, tries = 100): Promise<void> {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 0) throw error;
    await sleep(20);
    await remove(folder, tries - 1);
  }
}

/** A fresh empty folder, by its real path, that is removed after the tests of the file. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'n8n-nodes-chord-')));
  made.push(folder);
  return folder;
}

/** One in memory where the system has that: for tests that write thousands of small files. */
export const folderInMemory = (): string => temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
