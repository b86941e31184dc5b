import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { ChordError } from '../errors';
import { expandHome } from './checkDirectory';
import { searchPath } from './environment';

/** Said of every program that is missing: inside n8n's own container is where people do not think to look. */
const where = 'on the machine or in the container where n8n runs';

/** Files of Windows that only a shell can run. */
const windowsScripts = ['.cmd', '.bat', '.ps1'];

/**
 * The files that a command can mean, best first. A bare name is looked up in the folders of the PATH; empty and
 * relative ones are left out, since they would find a program in whatever folder n8n or the agent works in.
 */
export function programCandidates(
  command: string,
  environment: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): string[] {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const folders = searchPath(environment)
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder));
  const found = isPath
    ? [paths.resolve(expandHome(command))]
    : folders.map((folder) => paths.join(folder, command));
  if (platform !== 'win32' || paths.extname(command) !== '') return found;
  const endings = (environment.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '');
  const spelled = found.flatMap((file) => endings.map((ending) => file + ending.toLowerCase()));
  return [...spelled.filter((file) => !isWindowsScript(file)), ...spelled.filter(isWindowsScript)];
}

const isWindowsScript = (file: string): boolean =>
  windowsScripts.includes(path.win32.extname(file).toLowerCase());

/**
 * Node refuses to start `.cmd` and `.bat` without a shell, and with a shell a project's path or a session's name
 * could carry commands. So they are refused.
 *
 * @throws ChordError `binary_not_executable`
 */
export function refuseWindowsScript(file: string, platform: NodeJS.Platform): void {
  if (platform !== 'win32' || !isWindowsScript(file)) return;
  throw new ChordError('binary_not_executable', `${file} is a script that Windows can only run in a shell.`, {
    description: 'Enter the path of the program itself (chord.exe) as the command in the Chord credential.',
  });
}

function notFound(command: string, environment: Readonly<Record<string, string>>): ChordError {
  const isPath = /[/\\]/.test(command);
  const looked = isPath ? '' : `; searched the PATH ${searchPath(environment) || '(which is empty)'}`;
  const hint = /\s/.test(command)
    ? 'Do not put arguments into the command: the Chord credential has a separate field for them.'
    : 'Install Chord there, or enter the full path of the program as the command in the Chord credential.';
  return new ChordError('binary_not_found', `The program ${command} was not found ${where}${looked}.`, {
    description: hint,
  });
}

function notReachable(file: string, cause: unknown): ChordError {
  return new ChordError(
    'binary_not_executable',
    `The user that runs n8n does not have permission to reach ${file}.`,
    {
      description: 'Give that user permission to open the folders above the program.',
      cause,
    },
  );
}

/** Refuses what the system would refuse less clearly, or would run as a shell script (a text file, measured). */
async function checkProgram(file: string, platform: NodeJS.Platform): Promise<void> {
  refuseWindowsScript(file, platform);
  await access(file, constants.X_OK).catch((cause: unknown) => {
    throw new ChordError(
      'binary_not_executable',
      `${file} exists, but the user that runs n8n is not allowed to run it.`,
      {
        description: `Make it executable for that user: chmod +x ${file}`,
        cause,
      },
    );
  });
  if (platform !== 'win32' && (await isPlainText(file))) {
    throw new ChordError('not_chord', `${file} is a text file, not a program.`, {
      description: 'Enter the path of the Chord program as the command in the Chord credential.',
    });
  }
}

/** A text without `#!`. Programs contain zero bytes near their beginning. A file that may not be read is no text. */
async function isPlainText(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const beginning = buffer.subarray(0, bytesRead);
    return !beginning.includes(0) && beginning.toString('latin1', 0, 2) !== '#!';
  } finally {
    await handle.close();
  }
}

/**
 * Finds the program that a command means, in the PATH that the child will have.
 *
 * @returns its full path
 * @throws ChordError `binary_not_found`, `binary_not_executable`, `not_chord`
 */
export async function findProgram(
  command: string,
  environment: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Promise<string> {
  const wanted = command.trim();
  if (wanted === '' || wanted.includes('\0')) {
    throw new ChordError('invalid_settings', 'The Chord credential has no command.', {
      description: 'Enter chord, or the full path of the program.',
    });
  }
  let refused: ChordError | undefined;
  for (const file of programCandidates(wanted, environment, platform)) {
    const found = await stat(file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') refused ??= notReachable(file, error);
      return undefined;
    });
    if (found === undefined) continue;
    if (found.isDirectory()) {
      refused ??= new ChordError('binary_not_executable', `${file} is a folder, not a program.`, {
        description: 'Enter the path of the Chord program as the command in the Chord credential.',
      });
      continue;
    }
    try {
      await checkProgram(file, platform);
      return file;
    } catch (error) {
      // As a shell does: a file that cannot be run does not hide one further on in the PATH.
      if (!ChordError.is(error)) throw error;
      refused ??= error;
    }
  }
  throw refused ?? notFound(wanted, environment);
}
