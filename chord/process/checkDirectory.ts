import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ChordError } from '../errors';
import { checkFarDirectory } from './elsewhere';
import { homeFolder } from './homeFolder';
import type { LaunchSettings } from './LaunchSettings';

/** `~` and `~/…` as a shell reads them; people type them, and no program but a shell knows them. */
export function expandHome(given: string): string {
  return given === '~' || /^~[/\\]/.test(given) ? path.join(homeFolder(), given.slice(1)) : given;
}

const whichUser =
  'Check the path as n8n sees it: if n8n runs in a container, the folder must be mounted there.';

function refuse(directory: string, error: unknown): ChordError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'EACCES' || code === 'EPERM') return unreadable(directory, error);
  const because =
    code === 'ELOOP'
      ? 'is a symbolic link that leads back to itself'
      : code === 'ENOTDIR'
        ? 'cannot exist: part of its path is a file'
        : code === 'ENAMETOOLONG'
          ? 'has a path that is too long'
          : 'does not exist';
  return new ChordError('directory_missing', `The project directory ${directory} ${because}.`, {
    description: whichUser,
    cause: error,
  });
}

function unreadable(directory: string, cause: unknown): ChordError {
  return new ChordError(
    'directory_unreadable',
    `The user that runs n8n does not have permission to open the project directory ${directory}.`,
    { description: 'Give that user permission to read and open the folder and the folders above it.', cause },
  );
}

/** True for the folder itself and everything below. Both are real paths. */
function isInside(folder: string, inner: string): boolean {
  const way = path.relative(folder, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** The allowed folders by their real paths; one that does not exist allows nothing. */
async function allowedFolders(settings: LaunchSettings): Promise<string[]> {
  const given = settings.allowedDirectories.filter((folder) => folder.trim() !== '');
  const folders = given.length > 0 ? given : [settings.projectDirectory];
  const real = await Promise.all(
    folders
      .map((folder) => expandHome(folder.trim()))
      .filter((folder) => path.isAbsolute(folder))
      .map((folder) => realpath(folder).catch(() => undefined)),
  );
  return real.filter((folder) => folder !== undefined);
}

/**
 * Checks a project directory before anything is started, and gives its real path: one folder under two spellings is
 * one project. With `runsElsewhere` the directory is not on this machine, and only its text can be checked.
 *
 * @throws ChordError `directory_…` or `invalid_settings`, naming the directory; none blames the program, as the
 *   system's own error for a missing working directory would
 */
export async function checkDirectory(settings: LaunchSettings, directory: string): Promise<string> {
  const given = directory.trim();
  if (given === '' || given.includes('\0')) {
    throw new ChordError('invalid_settings', 'No project directory is set.', {
      description: 'Set the project directory in the credential or in the node.',
    });
  }
  if (settings.runsElsewhere) return checkFarDirectory(settings, given);
  const wanted = expandHome(given);
  if (!path.isAbsolute(wanted)) {
    throw new ChordError('invalid_settings', `The project directory ${given} is not a full path.`, {
      description: `Enter the full path, starting with ${path.parse(process.cwd()).root}.`,
    });
  }

  const real = await realpath(wanted).catch((error: unknown) => Promise.reject(refuse(wanted, error)));
  if (!(await stat(real)).isDirectory()) {
    throw new ChordError(
      'directory_not_a_folder',
      `The project directory ${wanted} is a file, not a folder.`,
      {
        description: 'Choose the folder that contains the file.',
      },
    );
  }
  if (!(await allowedFolders(settings)).some((folder) => isInside(folder, real))) {
    throw new ChordError(
      'directory_not_allowed',
      `The project directory ${wanted}${real === wanted ? '' : ` (real path ${real})`} is outside the directories that the credential allows.`,
      {
        description:
          'Add it to the allowed directories in the Chord credential, or choose another directory.',
      },
    );
  }
  await access(real, constants.R_OK | constants.X_OK).catch((error: unknown) =>
    Promise.reject(unreadable(wanted, error)),
  );
  return real;
}
