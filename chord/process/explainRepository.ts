import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ChordError } from '../errors';
import { programCandidates } from './findProgram';
import type { Launch } from './spawnProgram';

/** The folder with a `.git` that a directory lies in, as git looks for it. */
async function repositoryAbove(directory: string): Promise<{ root: string; owner: number } | undefined> {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const found = await stat(path.join(folder, '.git')).catch(() => undefined);
    if (found) return { root: folder, owner: (await stat(folder)).uid };
    if (folder === path.dirname(folder)) return undefined;
  }
}

async function hasGit({ environment, platform }: Pick<Launch, 'environment' | 'platform'>): Promise<boolean> {
  for (const file of programCandidates('git', environment, platform)) {
    if (await stat(file).catch(() => undefined)) return true;
  }
  return false;
}

/**
 * Chord says "not a git repository" for whatever git refuses (measured): a folder that is none, the repository of
 * another user, and where there is no git at all. On this machine we can find out which it was.
 *
 * @param user the number of the user that runs n8n; `undefined` where the system has no such numbers
 */
export async function explainRepository(
  error: ChordError,
  { directory, ...launch }: Pick<Launch, 'directory' | 'environment' | 'platform'>,
  user = process.geteuid?.(),
): Promise<ChordError> {
  if (error.code !== 'not_a_repository' || directory === undefined) return error;
  if (!(await hasGit(launch))) {
    return new ChordError(
      'binary_not_found',
      'A worktree needs the program git, which was not found on the machine or in the container where n8n runs.',
      { ...error.facts, description: 'Install git there, or leave the worktree empty.' },
    );
  }
  const repository = await repositoryAbove(directory);
  if (!repository || user === undefined || repository.owner === user) return error;
  const { root, owner } = repository;
  return new ChordError(
    'repository_not_trusted',
    `git does not trust the repository ${root}: it belongs to another user (ID ${owner}), not to the one that runs n8n (ID ${user}).`,
    {
      ...error.facts,
      description: `Run once, as the user that runs n8n: git config --global --add safe.directory "${root}". Or make that user the owner of the folder (chown).`,
    },
  );
}
