import { randomBytes } from 'node:crypto';
import { constants, readFileSync, rmSync } from 'node:fs';
import { copyFile, link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/v4';
import { ChordError } from '../errors';
import { writeTemporary } from './atomicFile';
import { fileNameOf } from './key';
import { isGone, processIdentitySchema, thisProcess } from './processIdentity';

const lockSchema = processIdentitySchema.extend({
  key: z.string(),
  /** Tells this lock from every other one, also of the same process. */
  nonce: z.string().min(1),
  /** When it was taken, RFC 3339. */
  taken_at: z.string(),
});

type Lock = z.infer<typeof lockSchema>;

/**
 * One owner of a session among the n8n processes that share our folder: a file per key. It is there from the first
 * lease or process of the key to the end of the last.
 *
 * Taking it is atomic: the file appears with its content (a hard link to a finished file, which fails where one is
 * already). A dead owner's file is replaced only under a second lock that is named after the dead one, so of two
 * processes that see the same dead owner one replaces it, and the other cannot remove the winner's file.
 */
export class OwnerLock {
  private readonly path: string;

  private held: Lock | undefined;

  /** Taking and giving back happen one after the other, in the order of the calls. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    folder: string,
    private readonly key: string,
  ) {
    this.path = join(folder, 'locks', `${fileNameOf(key)}.lock`);
  }

  /**
   * Takes the lock, or keeps it.
   *
   * @throws ChordError `owned_elsewhere` while another process has it, at once: waiting is for the caller to decide
   */
  acquire(): Promise<void> {
    return this.inOrder(async () => {
      if (this.held) return;
      const lock = newLock(this.key);
      await take(this.path, lock);
      this.held = lock;
    });
  }

  /** Gives the lock back. Never rejects: what cannot be removed belongs to a process that will be dead. */
  release(): Promise<void> {
    return this.inOrder(async () => {
      const { held } = this;
      this.held = undefined;
      if (held && parse(await readFile(this.path, 'utf8').catch(() => ''))?.nonce === held.nonce) {
        await rm(this.path, { force: true }).catch(() => undefined);
      }
    });
  }

  /** The same while the process exits, when nothing asynchronous runs any more. */
  releaseNow(): void {
    if (!this.held) return;
    try {
      if (parse(readFileSync(this.path, 'utf8'))?.nonce === this.held.nonce) rmSync(this.path);
    } catch {
      // Gone already, or not removable: the next process sees that its owner is dead.
    }
  }

  private inOrder<T>(step: () => Promise<T>): Promise<T> {
    const result = this.last.then(step);
    this.last = result.catch(() => undefined);
    return result;
  }
}

const newLock = (key: string): Lock => ({
  ...thisProcess(),
  key,
  nonce: randomBytes(8).toString('hex'),
  taken_at: new Date().toISOString(),
});

/** How long another process may need to replace a dead owner, in milliseconds, before we call it the owner. */
const patience = 2_000;

async function take(path: string, lock: Lock): Promise<void> {
  const temporary = await writeTemporary(path, JSON.stringify(lock));
  try {
    for (let waited = 0; ; waited += 20) {
      if (await placed(temporary, path)) return;
      const owner = await read(path, waited < patience);
      if (owner && !isDead(owner)) throw ownedElsewhere(path, lock.key, owner);
      if (owner && (await replaced(path, temporary, owner, waited < patience))) return;
      await pause(20);
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Puts the finished file in its place, unless one is there. */
async function placed(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!code || !noLinks.includes(code)) throw error;
  }
  try {
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** What file systems without hard links say (some network and shared folders). */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Replaces a dead owner's file, if no other process is just doing so. */
async function replaced(path: string, temporary: string, dead: Lock, patient: boolean): Promise<boolean> {
  const guardPath = `${path}.${dead.nonce}`;
  const guard = newLock(dead.key);
  try {
    await take(guardPath, guard);
  } catch (error) {
    if (patient && ChordError.is(error) && error.code === 'owned_elsewhere') return false;
    throw error;
  }
  try {
    // Only who holds this guard removes that file, so it is still the dead one's, or was replaced before.
    if ((await read(path, true))?.nonce !== dead.nonce) return false;
    await rename(temporary, path);
    return true;
  } finally {
    await rm(guardPath, { force: true });
  }
}

/** The lock in a file; `undefined` when the file has just gone, or is perhaps still being written. */
async function read(path: string, patient: boolean): Promise<Lock | undefined> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const lock = parse(content);
  if (lock || patient) return lock;
  throw new ChordError('owned_elsewhere', `The lock file of this session cannot be read: ${path}`, {
    description: 'If no other n8n uses this session, delete the file and try again.',
  });
}

function parse(content: string): Lock | undefined {
  try {
    return lockSchema.parse(JSON.parse(content));
  } catch {
    // Not ours, or not whole yet where the file system has no hard links.
    return undefined;
  }
}

/** Of another host nothing can be known, so its lock counts as alive. */
const isDead = (owner: Lock): boolean =>
  owner.host === thisProcess().host && isGone(owner, Date.parse(owner.taken_at));

function ownedElsewhere(path: string, key: string, owner: Lock): ChordError {
  const here = owner.host === thisProcess().host;
  return new ChordError(
    'owned_elsewhere',
    `The Chord session is owned by pid ${owner.pid}${here ? '' : ` on host ${owner.host}`} since ${owner.taken_at}.`,
    {
      sessionKey: key,
      description: here
        ? 'Two n8n processes share this folder. Use the session in one of them only, or give the other one another session name.'
        : `If that n8n no longer runs, delete this file and try again: ${path}`,
      details: { owner_pid: owner.pid, owner_host: owner.host, lock_file: path },
    },
  );
}
