import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A process that is just ending may still write, for which Node tries again. */
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** A fresh empty folder, by its real path, that is removed after the tests of the file. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'n8n-nodes-chord-')));
  made.push(folder);
  return folder;
}

/** One in memory where the system has that: for tests that write thousands of small files. */
export const folderInMemory = (): string => temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
