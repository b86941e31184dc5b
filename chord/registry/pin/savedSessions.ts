import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod/v4';
import { ChordError } from '../../errors';
import { SecretMask } from '../../process/SecretMask';
import type { ConnectionSettings, SavedSession } from '../contract';
import type { KeyParts } from '../address/key';
import { sessionsDirectory, stateDirectory } from './sessionsDirectory';

/** More than anybody scrolls through; the newest ones count. */
const listed = 200;

/** `projects/<key>.json` in Chord's state folder (measured). */
const projectFile = z.looseObject({ canonical_root: z.string(), sessions_dir: z.string() });

/** `usage-summary.json` in a session's folder (measured). */
const summaryFile = z.looseObject({
  first_user_message: z.string().catch(''),
  original_first_user_message: z.string().catch(''),
  last_updated_at: z.string().catch(''),
});

async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Missing, half written or of another Chord: there is nothing to show of it.
    return undefined;
  }
}

const namesIn = async (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** A worktree's folder is named after it, and its `.git` file names the repository that it belongs to. */
async function isWorktree(root: string, { projectDirectory, worktree }: KeyParts): Promise<boolean> {
  if (basename(root) !== worktree) return false;
  const link = await readFile(join(root, '.git'), 'utf8').catch(() => '');
  const repository = /^gitdir: (.*)\/\.git\/worktrees\//m.exec(link)?.[1] ?? '';
  return repository !== '' && `${projectDirectory}/`.startsWith(`${repository}/`);
}

/** The folder of a project's sessions; `undefined` where Chord never worked in it. Never throws. */
export async function projectSessions(
  settings: ConnectionSettings,
  parts: KeyParts,
): Promise<string | undefined> {
  const projects = join(stateDirectory(settings), 'projects');
  for (const name of await namesIn(projects)) {
    const project = await readJson(join(projects, name), projectFile);
    if (!project) continue;
    const { canonical_root: root, sessions_dir: sessions } = project;
    const found = parts.worktree === '' ? root === parts.projectDirectory : await isWorktree(root, parts);
    if (found) return join(sessionsDirectory(settings), basename(sessions));
  }
  return undefined;
}

/** A session without messages cannot be resumed (measured), so it is none for a list. */
async function sizeAndTime(folder: string): Promise<{ size: number; time: number } | undefined> {
  const info = await stat(join(folder, 'main.jsonl')).catch(() => undefined);
  return info && info.size > 0 ? { size: info.size, time: info.mtimeMs } : undefined;
}

/** A session that has messages, as its folder shows it. */
interface Resumable {
  id: string;
  size: number;
  time: number;
}

/** The sessions in a project's folder that have messages, but those that are not asked for. */
export async function resumable(
  folder: string,
  except: ReadonlySet<string> = new Set(),
): Promise<Resumable[]> {
  const found: Resumable[] = [];
  for (const id of (await namesIn(folder)).filter((name) => !except.has(name))) {
    const facts = await sizeAndTime(join(folder, id));
    if (facts) found.push({ id, ...facts });
  }
  return found;
}

/**
 * The sessions of one project that can be resumed, the one used last first, from Chord's own files: no Chord is
 * started for it.
 *
 * @throws ChordError `not_supported` where Chord runs on another machine
 */
export async function savedSessions(settings: ConnectionSettings, parts: KeyParts): Promise<SavedSession[]> {
  if (settings.runsElsewhere) {
    throw new ChordError(
      'not_supported',
      'Chord runs elsewhere, so its sessions cannot be listed from here.',
      {
        description: 'Enter the session ID.',
      },
    );
  }
  const folder = await projectSessions(settings, parts);
  if (folder === undefined) return [];
  const secrets = SecretMask.of(settings);
  const found = await resumable(folder);
  const newest = found.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).slice(0, listed);
  return Promise.all(
    newest.map(async ({ id, size, time }) => {
      const summary = await readJson(join(folder, id, 'usage-summary.json'), summaryFile);
      // After a compaction the first message is a summary; the original one is what people know it by.
      const firstMessages = [summary?.original_first_user_message, summary?.first_user_message];
      return {
        id,
        first_message: secrets.mask(firstMessages.find(Boolean) ?? ''),
        updated_at: [summary?.last_updated_at].find(Boolean) ?? new Date(time).toISOString(),
        size_bytes: size,
      };
    }),
  );
}
