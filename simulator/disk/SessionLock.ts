import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { decode, isRecord } from '../wire/json';

interface Owner {
  pid: number;
  owner_id: string;
  hostname: string;
  acquired_at: string;
}

/** The session is held by another process that lives. The message is Chord's. */
export class SessionLocked extends Error {
  constructor(sessionDir: string, owner: Owner) {
    const at = new Date(owner.acquired_at);
    const since = [at.getHours(), at.getMinutes(), at.getSeconds()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
    super(
      `session ${basename(sessionDir)} is already open in another Chord process ` +
        `(PID ${owner.pid} on ${owner.hostname}, since ${since})`,
    );
  }
}

/** Whether a process lives; one that has ended but was not yet waited for counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

function ownerOf(file: string): Owner | undefined {
  try {
    const owner = decode(readFileSync(file, 'utf8'));
    return isRecord(owner) && typeof owner.pid === 'number' ? (owner as unknown as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/** Ownership of one session folder by one process. */
export class SessionLock {
  private constructor(
    private readonly file: string,
    private readonly ownerId: string,
  ) {}

  /** Takes the lock; a lock of a dead process is replaced. Throws `SessionLocked`. */
  static acquire(sessionDir: string, now: Date): SessionLock {
    const file = join(sessionDir, 'session.lock');
    const owner: Owner = {
      pid: process.pid,
      owner_id: randomBytes(16).toString('hex'),
      hostname: hostname(),
      acquired_at: now.toISOString(),
    };
    const draft = `${file}.${owner.owner_id}`;
    writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    try {
      for (;;) {
        try {
          // A link fails where the file exists: of two processes only one gets it, and it is never half written.
          linkSync(draft, file);
          return new SessionLock(file, owner.owner_id);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        }
        const holder = ownerOf(file);
        if (holder && isAlive(holder.pid)) throw new SessionLocked(sessionDir, holder);
        rmSync(file, { force: true });
      }
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Gives the lock back, unless another process has replaced it. */
  release(): void {
    if (ownerOf(this.file)?.owner_id === this.ownerId) rmSync(this.file, { force: true });
  }
}
