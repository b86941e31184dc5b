import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SessionLock, SessionLocked } from './SessionLock';
import { hasMessages, lastActivity, Session } from './Session';

/** How a process picks its session. */
export type Start = { how: 'new' } | { how: 'continue' } | { how: 'resume'; id: string };

/** What `start` found. */
export interface Started {
  session: Session;
  restored: boolean;
  /** Sessions that `--continue` passed over because another process holds them. */
  skipped: string[];
}

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** Local time as 17 digits, down to the millisecond. */
function idAt(now: Date): string {
  return (
    `${now.getFullYear()}${pad(now.getMonth() + 1, 2)}${pad(now.getDate(), 2)}` +
    `${pad(now.getHours(), 2)}${pad(now.getMinutes(), 2)}${pad(now.getSeconds(), 2)}${pad(now.getMilliseconds(), 3)}`
  );
}

/** The session folders of one project. */
export class Sessions {
  constructor(
    private readonly folder: string,
    private readonly project: string,
    private readonly now: () => Date,
  ) {}

  /** Opens the session that a process begins with. Throws with Chord's words where it would not start. */
  start(start: Start): Started {
    if (start.how === 'resume') {
      try {
        return { session: this.resume(start.id), restored: true, skipped: [] };
      } catch (error) {
        if (!(error instanceof SessionLocked)) throw error;
        throw new Error(
          `${error.message}; close that process, or run chord --continue to pick up the most recent session you can open`,
        );
      }
    }
    const skipped: string[] = [];
    for (const folder of start.how === 'continue' ? this.byActivity() : []) {
      try {
        return { session: this.own(folder), restored: true, skipped };
      } catch (error) {
        if (!(error instanceof SessionLocked)) throw error;
        skipped.push(basename(folder));
      }
    }
    return { session: this.create(), restored: false, skipped };
  }

  /** A new, empty session. */
  create(): Session {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    for (let at = this.now().getTime(); ; at += 1) {
      const folder = join(this.folder, idAt(new Date(at)));
      try {
        mkdirSync(folder, { mode: 0o700 });
        return this.own(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  /** An earlier session. Throws when it has no messages or is held by another process. */
  resume(id: string): Session {
    const folder = join(this.folder, id);
    if (!id || id !== basename(id) || !hasMessages(folder))
      throw new Error(`session ${id} not found or has no messages`);
    return this.own(folder);
  }

  private own(folder: string): Session {
    return new Session(folder, this.project, SessionLock.acquire(folder, this.now()));
  }

  /** Sessions with messages, the one used last first. */
  private byActivity(): string[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch {
      return [];
    }
    return names
      .map((name) => join(this.folder, name))
      .filter(hasMessages)
      .map((folder) => ({ folder, at: lastActivity(folder) }))
      .sort((a, b) => b.at - a.at || (a.folder < b.folder ? 1 : -1))
      .map(({ folder }) => folder);
  }
}
