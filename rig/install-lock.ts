import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a waiting process looks whether its turn has come, in milliseconds. */
const LOOK_EVERY_MS = 500;

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Runs `work` while no other process of this machine does the same work, so that two demos started at once do not
 * install into one folder. The lock names its owner; the one of a dead process is taken over.
 */
export async function withInstallLock<T>(
  file: string,
  work: () => Promise<T>,
  whileWaiting: (owner: number) => void,
): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  let told = false;
  for (;;) {
    const taken = await writeFile(file, String(process.pid), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    if (taken) break;
    const owner = Number(await readFile(file, 'utf8').catch(() => ''));
    if (owner > 0 && !alive(owner)) await rm(file, { force: true });
    else {
      if (!told) whileWaiting(owner);
      told = true;
      await sleep(LOOK_EVERY_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
