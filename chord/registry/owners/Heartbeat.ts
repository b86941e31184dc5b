import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { writeTemporary } from '../files/atomicFile';
import { processIdentitySchema, type ProcessIdentity } from './processIdentity';

const beatSchema = processIdentitySchema.extend({
  /** Only this is compared: it grows with each beat, whatever the clock says. */
  count: z.number(),
  /** For people, RFC 3339. */
  at: z.string(),
  /** It ended properly; what it left behind may be taken over at once. */
  ended: z.boolean(),
});

/** The content of a heartbeat's file. */
export type Beat = z.infer<typeof beatSchema>;

/** The folder of heartbeats below the folder of all our files. */
const folderOf = (folder: string): string => join(folder, 'heartbeats');

const fileOf = (folder: string, id: string): string => join(folderOf(folder), `${id}.json`);

/** The ids of all heartbeats. Synchronous, since it is asked while n8n loads the nodes. */
export function heartbeatIds(folder: string): string[] {
  try {
    return readdirSync(folderOf(folder)).flatMap((name) => /^([0-9a-f]+)\.json$/.exec(name)?.[1] ?? []);
  } catch {
    // Nobody has written one yet.
    return [];
  }
}

/** The last beat of a process; `null` where there is none, or none that can be read. */
export async function readBeat(folder: string, id: string): Promise<Beat | null> {
  try {
    return beatSchema.parse(JSON.parse(await readFile(fileOf(folder, id), 'utf8')));
  } catch {
    // Gone, half written or not readable just now: as good as no movement.
    return null;
  }
}

/** Removes the heartbeat of a process that is gone. Never rejects: at worst the next n8n finds it. */
export const removeBeat = (folder: string, id: string): Promise<void> =>
  rm(fileOf(folder, id), { force: true }).catch(() => undefined);

/** Every beat has this many bytes, so that one can be written where the disk has become full. */
const size = 512;

/** The heartbeat of one n8n process: a small file that it writes again and again while it lives. */
export class Heartbeat {
  private count = 0;

  /** How it ended: a beat that was still under way must not undo that. */
  private ending: (() => void) | undefined;

  constructor(
    private readonly folder: string,
    private readonly me: ProcessIdentity,
  ) {}

  /** Begins: whoever sees a lock or a wait of this process also finds its heartbeat. */
  async begin(now: number): Promise<void> {
    const path = fileOf(this.folder, this.me.id);
    await rename(await writeTemporary(path, this.next(now)), path);
  }

  /** One beat, in place; the file is created again if somebody removed it. */
  async beat(now: number): Promise<void> {
    try {
      await writeFile(fileOf(this.folder, this.me.id), this.next(now), { flag: 'r+' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!this.ending) await this.begin(now);
    }
    this.ending?.();
  }

  /**
   * The end in good order, synchronous for the last moment of this operating-system process.
   *
   * @param leavesSomething whether somebody has to find what this process leaves behind
   */
  end(now: number, leavesSomething: boolean): void {
    this.ending = () => this.writeEnd(now, leavesSomething);
    this.ending();
  }

  private writeEnd(now: number, leavesSomething: boolean): void {
    const path = fileOf(this.folder, this.me.id);
    try {
      if (leavesSomething) writeFileSync(path, this.next(now, true), { flag: 'r+' });
      else rmSync(path, { force: true });
    } catch {
      // Whoever comes next sees that it no longer beats.
    }
  }

  private next(now: number, ended = false): string {
    this.count += 1;
    const beat: Beat = { ...this.me, count: this.count, at: new Date(now).toISOString(), ended };
    return `${JSON.stringify(beat).padEnd(size - 1)}\n`;
  }
}
