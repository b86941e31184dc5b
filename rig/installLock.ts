import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a waiting process looks whether its turn has come, in milliseconds. */
const LOOK_EVERY_MS = 500;
/** How often the owner shows that it is at work. */
const SIGN_OF_LIFE_MS = 5_000;
/** A lock without a sign of life for this long belongs to nobody: its process id may be another program's by now. */
const STALE_MS = 120_000;

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
  for (let told = false; !(await take(file)); ) {
    const owner = await ownerOf(file);
    if (owner === undefined) await rm(file, { force: true });
    else {
      if (!told) whileWaiting(owner);
      told = true;
      await sleep(LOOK_EVERY_MS);
    }
  }
  const timer = setInterval(
    () => void utimes(file, new Date(), new Date()).catch(() => undefined),
    SIGN_OF_LIFE_MS,
  );
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock; `undefined` if nobody does any more. */
async function ownerOf(file: string): Promise<number | undefined> {
  const facts = await stat(file).catch(() => undefined);
  if (!facts) return undefined;
  const owner = Number(await readFile(file, 'utf8').catch(() => ''));
  const silent = Date.now() - facts.mtimeMs;
  // A file without a number in it is being written at this moment, or its writer died there.
  return silent > STALE_MS || (owner > 0 && !alive(owner)) ? undefined : owner;
}
