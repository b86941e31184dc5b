import { ChordError } from '../errors';
import { checkDirectory } from './checkDirectory';
import { checkArgument } from './elsewhere';
import { childEnvironment } from './environment';
import { findProgram } from './findProgram';
import type { HostProcess, LaunchSettings, StartArguments } from './LaunchSettings';
import type { Launch } from './spawnProgram';

/** The command line after the program's name. */
function headlessArguments(
  commandArguments: readonly string[],
  directory: string,
  start: StartArguments,
): string[] {
  const args = [...commandArguments, 'headless', '-d', directory];
  if (start.resume !== undefined && start.resume !== '') args.push('-r', start.resume);
  else if (start.continue === true) args.push('-c');
  if (start.worktree !== undefined && start.worktree !== '') args.push('-w', start.worktree);
  if (args.some((argument) => argument.includes('\0'))) {
    throw new ChordError('invalid_settings', 'An argument of the command line contains a zero byte.', {
      description: 'Check the command arguments, the session ID and the worktree.',
    });
  }
  return args;
}

/**
 * Chord polls its parent and leaves within a second, without a word, when that is process 1 (measured). So n8n as
 * process 1 is refused before; with `runsElsewhere` Chord's parent is another one.
 *
 * @throws ChordError `n8n_is_pid_1`
 */
function refuseProcessOne(host: HostProcess, settings: LaunchSettings): void {
  if (host.pid !== 1 || settings.runsElsewhere) return;
  throw new ChordError(
    'n8n_is_pid_1',
    'n8n is running as process 1 (PID 1) of its container, where Chord exits at once: it needs an init process above n8n.',
    {
      description:
        'Start the container with an init: docker run --init, or "init: true" in docker-compose. Without Docker, start n8n with tini or dumb-init.',
    },
  );
}

/**
 * Checks how a session is to be started: an id or a worktree may come from an item.
 *
 * @throws ChordError `invalid_settings`
 */
export function checkStart(
  settings: Pick<LaunchSettings, 'runsElsewhere' | 'commandQuotes'>,
  { resume = '', worktree = '' }: StartArguments,
): void {
  checkArgument(settings, 'session ID', resume);
  checkArgument(settings, 'worktree', worktree);
}

/** Everything that can be checked before a process is started, cheapest first. */
export async function prepareLaunch(options: {
  settings: LaunchSettings;
  directory: string;
  args: StartArguments;
  extraEnvironment: Readonly<Record<string, string>>;
  host: HostProcess;
}): Promise<Launch> {
  const { settings, host } = options;
  refuseProcessOne(host, settings);
  checkStart(settings, options.args);
  const environment = childEnvironment(host, settings.environment, options.extraEnvironment);
  const directory = await checkDirectory(settings, options.directory);
  const program = await findProgram(settings.command, environment, host.platform);
  return {
    program,
    args: headlessArguments(settings.commandArguments, directory, options.args),
    directory: settings.runsElsewhere ? undefined : directory,
    environment,
    platform: host.platform,
  };
}
