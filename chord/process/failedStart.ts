import { ChordError, type ErrorFacts } from '../errors';
import { startErrors } from './startErrors';

/** What is known of a start that came to nothing. */
export interface FailedStart {
  exitCode: number | null;
  signal: string | null;
  /** Masked. */
  stderrTail: string;
  /** The last line of it. */
  lastLine: string;
  /** The first line of stdout that was no envelope; empty if there was none. */
  noise: string;
}

/** "with exit code 3" or "by signal SIGKILL". */
export const howItEnded = (exitCode: number | null, signal: string | null): string =>
  signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by signal ${signal}`;

const factsOf = ({ exitCode, signal, stderrTail }: FailedStart): ErrorFacts => ({
  exitCode,
  signal,
  stderrTail,
});

/** The program ended before `ready`: what its stderr says, where we know the text. */
export function startError(failed: FailedStart): ChordError {
  const facts = factsOf(failed);
  for (const { pattern, code, message, description } of startErrors) {
    const found = pattern.exec(failed.stderrTail);
    if (found !== null) return new ChordError(code, message(found), { ...facts, description });
  }
  const ended = `ended ${howItEnded(failed.exitCode, failed.signal)} before it was ready`;
  if (failed.noise !== '' || failed.exitCode === 0) {
    const wrote = failed.noise === '' ? 'without any output' : `after writing: ${failed.noise}`;
    return new ChordError('not_chord', `The program ${ended}, ${wrote}`, {
      ...facts,
      description:
        'It does not seem to be Chord. Check the command and its arguments in the Chord credential. A wrapper that starts Chord must not exit before Chord does.',
    });
  }
  const reason = failed.lastLine === '' ? '.' : `: ${failed.lastLine}`;
  return new ChordError('exited_before_ready', `Chord ${ended}${reason}`, {
    ...facts,
    description: 'To see the full reason, run the same command in a terminal as the user that runs n8n.',
  });
}

/** The program did not say `ready` in time, and was ended. */
export function startTimeoutError(failed: FailedStart, timeoutMs: number): ChordError {
  const parts = [
    `Chord was not ready within ${timeoutMs / 1000} s and was stopped.`,
    failed.noise === '' ? '' : `Instead, it wrote: ${failed.noise}`,
    failed.lastLine === '' ? '' : `Its last line on stderr: ${failed.lastLine}`,
  ];
  return new ChordError(
    failed.noise === '' ? 'start_timeout' : 'not_chord',
    parts.filter((part) => part !== '').join(' '),
    {
      ...factsOf(failed),
      description:
        'A tool server (MCP) that does not respond delays Chord by 20 seconds per attempt: check the tool servers in its configuration, or raise the start time limit in the Chord credential. Also check that the command starts Chord.',
    },
  );
}

/** The system refused to start a program that is there and may be executed. */
export function launchError(program: string, cause: NodeJS.ErrnoException | undefined): ChordError {
  if (cause?.code === 'ENOENT') {
    return new ChordError(
      'binary_not_executable',
      `${program} exists, but something it needs to run is missing: the interpreter named in its first line, or a system library.`,
      {
        description:
          "Install a Chord that is built for this system (n8n's own container image is Alpine Linux), or install the interpreter.",
      },
    );
  }
  return new ChordError(
    'start_failed',
    `${program} could not be started: ${cause?.code ?? 'unknown reason'}.`,
    {
      description:
        cause?.code === 'E2BIG'
          ? 'The command line and the environment together are too long.'
          : 'Check that the program is built for this kind of machine and that the system allows n8n to start programs.',
    },
  );
}
