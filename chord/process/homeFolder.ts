import { homedir } from 'node:os';
import path from 'node:path';
import { ChordError } from '../errors';

/**
 * The home folder of the user that runs n8n: `HOME`, else what the system has for that user. A container that runs
 * under a number of its own (`docker run --user 12345`) may have neither.
 *
 * @throws ChordError `no_home_folder`
 */
export function homeFolder(find: () => string = homedir): string {
  let cause: unknown;
  try {
    const home = find();
    if (path.isAbsolute(home)) return home;
  } catch (error) {
    cause = error;
  }
  throw new ChordError('no_home_folder', 'The user that runs n8n has no home folder.', {
    cause,
    description:
      'Set the environment variable HOME of n8n to a folder that this user may write to, e.g. docker run -e HOME=/home/node.',
  });
}
