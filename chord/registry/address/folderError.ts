import { ChordError } from '../../errors';

/** What the system says when a file of ours cannot be written, and what that means. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the user that runs n8n is not allowed to write there',
  EPERM: 'the user that runs n8n is not allowed to write there',
  EROFS: 'it is on a disk that is mounted read-only',
  ENOENT: 'it was removed or cannot be created',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'a file is in its place',
};

const full = ['ENOSPC', 'EDQUOT'];

/**
 * Makes a step in the folder of all our files. Errors of the file system become ones that name the folder; our own are
 * thrown unchanged.
 *
 * @param folder the one in which the step was made
 */
export async function inFolder<Result>(folder: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw folderError(folder, error);
  }
}

function folderError(folder: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (ChordError.is(error) || code === undefined) return error;
  if (full.includes(code)) {
    return new ChordError(
      'disk_full',
      `Files cannot be written to n8n's folder ${folder}: the disk is full.`,
      {
        cause: error,
        description: 'Free some space on the disk of that folder and try again.',
      },
    );
  }
  return new ChordError(
    'folder_not_writable',
    `Files cannot be written to n8n's folder ${folder}: ${reasons[code] ?? code}.`,
    {
      cause: error,
      description:
        'Allow the user that runs n8n to write there, or set N8N_USER_FOLDER to a folder that this user can write to. In a container, check the volume.',
    },
  );
}
