import path from 'node:path/posix';
import { ChordError } from '../errors';
import type { LaunchSettings } from './LaunchSettings';

/**
 * Letters and digits of any script and a few signs, none of which means anything to a shell between two others. A
 * blank, a quote, a `~` and all the rest may.
 */
const plainWord = /^[\p{L}\p{M}\p{N}_./:@%+=,-]*$/u;

/**
 * Checks a value that becomes an argument of the command. `ssh` joins its arguments to one line for the shell of the
 * far side, which splits it again and reads all its signs; `docker exec` and `kubectl exec` keep the words apart, which
 * the credential says by `commandQuotes`. Without `runsElsewhere` no shell is between.
 *
 * @param what names the value, e.g. "worktree"
 * @throws ChordError `invalid_settings`
 */
export function checkArgument(
  settings: Pick<LaunchSettings, 'runsElsewhere' | 'commandQuotes'>,
  what: string,
  value: string,
): void {
  if (value.startsWith('-')) {
    throw unusable(what, value, 'It begins with a dash, so the command would treat it as an option.');
  }
  if (!settings.runsElsewhere || settings.commandQuotes || plainWord.test(value)) return;
  throw unusable(
    what,
    value,
    'Chord runs elsewhere, where a shell may read this text, so it may contain only letters, digits and _ . / : @ % + = , -. If the command in the credential passes arguments on unchanged, as "docker exec" and "kubectl exec" do but "ssh" does not, turn on "Command Passes Arguments Unchanged" there.',
  );
}

const unusable = (what: string, value: string, description: string) =>
  new ChordError('invalid_settings', `The ${what} ${JSON.stringify(value.slice(0, 100))} cannot be used.`, {
    description,
  });

/** The one spelling of a directory: `/p`, `/p/`, `//p` and `/p/.` are `/p`. `undefined` if the text is ambiguous. */
function normalForm(directory: string): string | undefined {
  if (!path.isAbsolute(directory) || directory.split('/').includes('..')) return undefined;
  const normal = path.normalize(directory);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

const isInside = (folder: string, inner: string): boolean =>
  inner === folder || inner.startsWith(folder === '/' ? folder : `${folder}/`);

/**
 * Checks a project directory on another machine or in a container, by its text alone: links of the far side cannot be
 * seen from here.
 *
 * @returns its one spelling
 * @throws ChordError `invalid_settings`, or `directory_not_allowed`
 */
export function checkFarDirectory(settings: LaunchSettings, given: string): string {
  const directory = normalForm(given);
  if (directory === undefined) {
    throw new ChordError('invalid_settings', `The project directory ${given} is not a full path.`, {
      description: 'Enter the full path as it is where Chord runs, starting with / and without "..".',
    });
  }
  checkArgument(settings, 'project directory', directory);
  const list = settings.allowedDirectories.map((folder) => folder.trim()).filter((folder) => folder !== '');
  const allowed = (list.length > 0 ? list : [settings.projectDirectory.trim()]).map(normalForm);
  if (allowed.some((folder) => folder !== undefined && isInside(folder, directory))) return directory;
  throw new ChordError(
    'directory_not_allowed',
    `The project directory ${directory} is outside the directories that the credential allows.`,
    {
      description: 'Add it to the allowed directories in the Chord credential, or choose another directory.',
    },
  );
}
