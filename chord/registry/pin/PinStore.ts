import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { ChordError } from '../../errors';
import { writeAtomically } from '../files/atomicFile';
import { fileNameOf } from '../address/key';

/**
 * What is known of a pinned session's content. `empty` has no message yet and cannot be resumed (measured: `-r` exits
 * 1). `unknown` was found by Chord itself (`-c`), which does not say whether it found one or began one.
 */
export type PinContent = 'empty' | 'used' | 'unknown';

const pinSchema = z.object({
  version: z.literal(1),
  key: z.string(),
  session_id: z.string().min(1),
  content: z.enum(['empty', 'used', 'unknown']),
  project_directory: z.string(),
  /** The session before this one, for people who look for it. */
  previous_session_id: z.string(),
  /**
   * A handoff was accepted in `session_id` on a Chord that does not report which session it opened: the sessions that
   * were there before, or `null` where they could not be seen. `proved` is false if it is not known whether it was.
   */
  handed_off: z.object({ sessions_before: z.array(z.string()).nullable(), proved: z.boolean() }).optional(),
  updated_at: z.string(),
});

/** Which Chord session a key continues, as its file holds it. */
export type Pin = z.infer<typeof pinSchema>;

/** The pins of one folder, one small file a key. */
export class PinStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = join(folder, 'pins');
  }

  /** The file of a key, for error messages. */
  pathOf(key: string): string {
    return join(this.folder, `${fileNameOf(key)}.json`);
  }

  /**
   * The pin of a key; `undefined` where there is none.
   *
   * @throws ChordError `pin_ambiguous` when the file is there and cannot be read: starting another session then
   * would be a silent change
   */
  async read(key: string): Promise<Pin | undefined> {
    const path = this.pathOf(key);
    let content: string;
    try {
      content = await readFile(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(key, path, cause);
    }
    const pin = parse(content);
    if (pin?.key !== key) throw unreadable(key, path);
    return pin;
  }

  /** The sessions that the other keys of this folder name. */
  async sessionsOfOthers(key: string): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.folder).catch(() => [])) {
      const pin = parse(await readFile(join(this.folder, name), 'utf8').catch(() => ''));
      if (pin && pin.key !== key) found.push(pin.session_id, pin.previous_session_id);
    }
    return found;
  }

  /** Replaces the pin of its key. */
  write(pin: Omit<Pin, 'version'>): Promise<void> {
    return writeAtomically(this.pathOf(pin.key), `${JSON.stringify({ version: 1, ...pin }, null, 2)}\n`);
  }
}

function parse(content: string): Pin | undefined {
  try {
    return pinSchema.parse(JSON.parse(content));
  } catch {
    // Half a file or another program's: the caller decides what that means.
    return undefined;
  }
}

const unreadable = (key: string, path: string, cause?: unknown) =>
  new ChordError('pin_ambiguous', `The file that names the Chord session to continue is damaged: ${path}`, {
    cause,
    sessionKey: key,
    description:
      'Delete this file to begin a new session, or choose the start mode "Resume by ID" and enter the ID of the session to continue.',
  });
