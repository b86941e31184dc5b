import { randomBytes } from 'node:crypto';
import { constants, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, link, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/v4';
import { ChordError } from '../../errors';
import { writeTemporary } from '../files/atomicFile';
import { inFolder } from '../address/folderError';
import { fileNameOf } from '../address/key';
import type { Owners } from './Owners';
import { processIdentitySchema } from './processIdentity';

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

  private unwatch: () => void = () => undefined;

  /** Taking and giving back happen one after the other, in the order of the calls. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param lost called once when another process is found to have taken over the lock, with a sentence that says so: it
   *   took this one for gone, which happens to a machine that was paused
   */
  constructor(
    private readonly owners: Owners,
    private readonly key: string,
    private readonly lost: (how: string) => void = () => undefined,
  ) {
    this.path = join(owners.folder, 'locks', `${fileNameOf(key)}.lock`);
  }

  /**
   * Takes the lock, or keeps it.
   *
   * @param patient waits while it is being watched whether the owner still lives, 60 s at most, instead of failing at
   *   once; if it is known to live, this fails at once all the same
   * @throws ChordError `owned_elsewhere` while another process has it; `interrupted` when n8n ends meanwhile;
   *   `folder_not_writable`, `disk_full`
   */
  async acquire(patient = false): Promise<void> {
    for (;;) {
      const owner = await this.inOrder(() => this.tryToTake());
      if (!owner) return;
      if (!patient || (await this.owners.verdict(owner)) === 'alive') throw await this.ownedBy(owner);
    }
  }

  /**
   * True while the lock is this one's. Asked before everything that is written to Chord, since neither clock tells a
   * machine that was paused how long that took. Synchronous, so that nothing comes between the answer and the writing.
   */
  isHeld(): boolean {
    const { held } = this;
    if (!held) return false;
    let owner: Lock | undefined;
    try {
      owner = parse(readFileSync(this.path, 'utf8'));
      if (owner?.nonce === held.nonce) return true;
    } catch (error) {
      // Removed by hand: then it is put back, unless another one was quicker. Unreadable: nobody can have replaced it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || this.putBack(held)) return true;
    }
    this.forget();
    this.lost(`${named(owner, this.owners.me.host)} took over the session while this n8n was paused`);
    return false;
  }

  /** Gives the lock back. Never rejects: what cannot be removed belongs to a process that will be dead. */
  release(): Promise<void> {
    return this.inOrder(async () => {
      const { held } = this;
      this.forget();
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

  private async tryToTake(): Promise<Lock | undefined> {
    if (this.held) return undefined;
    await this.owners.begin();
    const lock = this.newLock();
    const owner = await inFolder(dirname(this.path), () => this.take(this.path, lock));
    if (owner) return owner;
    this.held = lock;
    this.unwatch = this.owners.eachBeat(() => void this.isHeld());
    return undefined;
  }

  private forget(): void {
    this.unwatch();
    this.held = undefined;
  }

  private putBack(lock: Lock): boolean {
    try {
      writeFileSync(this.path, JSON.stringify(lock), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      // A folder that nobody can write to: then nobody else has taken the lock either.
      return (error as NodeJS.ErrnoException).code !== 'EEXIST';
    }
  }

  private newLock(): Lock {
    return {
      ...this.owners.me,
      key: this.key,
      nonce: randomBytes(8).toString('hex'),
      taken_at: new Date().toISOString(),
    };
  }

  /** @returns who has it, where that is not known to be gone */
  private async take(path: string, lock: Lock): Promise<Lock | undefined> {
    const temporary = await writeTemporary(path, JSON.stringify(lock));
    try {
      for (let waited = 0; ; waited += 20) {
        if (await placed(temporary, path)) return undefined;
        const owner = await this.read(path, waited < patience);
        if (owner) {
          if ((await this.owners.standing(owner)) !== 'gone') return owner;
          const other = await this.replace(path, temporary, owner);
          if (other === 'done') return undefined;
          if (other && waited >= patience) return other;
        }
        await pause(20);
      }
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /**
   * Replaces a dead owner's file.
   *
   * @returns who is just doing so; nothing when somebody has done it
   */
  private async replace(path: string, temporary: string, dead: Lock): Promise<'done' | Lock | undefined> {
    const guardPath = `${path}.${dead.nonce}`;
    const other = await this.take(guardPath, this.newLock());
    if (other) return other;
    try {
      // Only who holds this guard removes that file, so it is still the dead one's, or was replaced before.
      if ((await this.read(path, true))?.nonce !== dead.nonce) return undefined;
      await rename(temporary, path);
      return 'done';
    } finally {
      await rm(guardPath, { force: true });
    }
  }

  /** The lock in a file; `undefined` when the file has just gone, or is perhaps still being written. */
  private async read(path: string, patient: boolean): Promise<Lock | undefined> {
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
      sessionKey: this.key,
      description: 'If no other n8n uses this session, delete the file and try again.',
    });
  }

  private async ownedBy(owner: Lock): Promise<ChordError> {
    const alive = (await this.owners.standing(owner)) === 'alive';
    return new ChordError(
      'owned_elsewhere',
      `The Chord session has been owned by ${named(owner, this.owners.me.host)} since ${owner.taken_at}${alive ? '' : '; it is not clear yet whether that n8n is still running'}.`,
      {
        sessionKey: this.key,
        description: alive
          ? 'Two n8n processes share this folder. Use the session in only one of them, or choose another session name here.'
          : 'If that n8n shows no sign of life for a minute, this one takes over the session. Try again then.',
        details: { owner_pid: owner.pid, owner_host: owner.host, lock_file: this.path },
      },
    );
  }

  private inOrder<T>(step: () => Promise<T>): Promise<T> {
    const result = this.last.then(step);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** How long another process may need to replace a dead owner, in milliseconds, before we call it the owner. */
const patience = 2_000;

/** An n8n process for people. */
const named = (owner: Lock | undefined, here: string): string =>
  owner ? `pid ${owner.pid}${owner.host === here ? '' : ` on host ${owner.host}`}` : 'another n8n';

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

function parse(content: string): Lock | undefined {
  try {
    return lockSchema.parse(JSON.parse(content));
  } catch {
    // Not ours, or not whole yet where the file system has no hard links.
    return undefined;
  }
}
