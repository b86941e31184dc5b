import type { ErrorCode } from '../errors';
import { nameRule } from './worktreeName';

/** What Chord says on stderr before it gives up at its start, and what that means for a person. */
interface StartError {
  /** Applied to the kept part of stderr. */
  pattern: RegExp;
  code: ErrorCode;
  message: (found: RegExpExecArray) => string;
  description: string;
}

/**
 * The texts as measured (recordings `process-*`) or read in Chord's source. All of them end Chord with exit code 1
 * and nothing on stdout. This is the only place where stderr is read for its meaning; an unknown text is shown as it
 * is. The first that fits counts.
 */
export const startErrors: readonly StartError[] = [
  {
    pattern: /no config\.yaml found/i,
    code: 'no_configuration',
    message: () => 'Chord has no configuration yet on this machine for the user that runs n8n.',
    description:
      'Run chord once in a terminal as that user, or set CHORD_CONFIG_HOME in the environment of the Chord credential.',
  },
  {
    pattern: /session (\S+) (?:is already open in another Chord process(?: \(([^)]*)\))?)/i,
    code: 'session_held',
    message: ([, id, holder]) =>
      `The Chord session ${id} is open in another Chord process${holder ? ` (${holder})` : ''}.`,
    description: 'Close that process (perhaps a Chord in a terminal), or use another session.',
  },
  {
    pattern: /session (\S+) has a corrupt session\.lock/i,
    code: 'session_held',
    message: ([, id]) => `The lock file of the Chord session ${id} cannot be read.`,
    description: 'If no Chord is using this session, delete the file session.lock in its folder.',
  },
  {
    pattern: /session (\S+) not found or has no messages/i,
    code: 'session_not_found',
    message: ([, id]) => `Chord has no session ${id} in this project, or the session has no messages yet.`,
    description: 'Choose another session, or start a new one. A session without messages cannot be resumed.',
  },
  {
    pattern: /change to session-dir "([^"]*)": .*no such file or directory/i,
    code: 'directory_missing',
    message: ([, directory]) => `The project directory ${directory} does not exist where Chord runs.`,
    description: 'Check the path as Chord sees it.',
  },
  {
    pattern: /change to session-dir "([^"]*)": .*not a directory/i,
    code: 'directory_not_a_folder',
    message: ([, directory]) =>
      `The project directory ${directory} is a file, not a folder, where Chord runs.`,
    description: 'Choose a folder.',
  },
  {
    pattern: /change to session-dir "([^"]*)": .*permission denied/i,
    code: 'directory_unreadable',
    message: ([, directory]) => `Chord does not have permission to open the project directory ${directory}.`,
    description: 'Give the user that runs Chord permission to open it.',
  },
  {
    pattern: /create \.chord directory: (.*)/i,
    code: 'directory_unreadable',
    message: ([, reason]) =>
      `Chord is not allowed to create its .chord folder in the project directory: ${reason}.`,
    description: 'Give the user that runs n8n permission to write to the project directory.',
  },
  {
    pattern: /not a git repository: (.*)/i,
    code: 'not_a_repository',
    message: ([, directory]) => `A worktree needs a git repository, and there is none at ${directory}.`,
    description: 'Leave the worktree empty, or choose a project directory inside a git repository.',
  },
  {
    pattern: /^Error: worktree (name ".*)/im,
    code: 'invalid_name',
    message: ([, reason]) => `Chord rejected the worktree: its ${reason}.`,
    description: nameRule,
  },
  {
    pattern:
      /^Error: git worktree add .*\/worktrees\/[^/]+\/(\S+) HEAD: [^]*(?:not a valid object name|invalid reference): '?HEAD/im,
    code: 'repository_empty',
    message: ([, name]) =>
      `The worktree ${name} cannot be created: the project's git repository has no commits yet.`,
    description: 'Make a first commit in it, or leave the worktree empty.',
  },
  {
    pattern:
      /^Error: git worktree add .*\/worktrees\/[^/]+\/(\S+) HEAD: (?:Preparing worktree.*\n)?(?:fatal: )?(.*)/im,
    code: 'worktree_failed',
    message: ([, name, reason]) => `git could not create the worktree ${name}: ${reason}`,
    description: 'Choose another name for the worktree, or fix what git complains about in the repository.',
  },
  {
    pattern: /^Error: nested worktree creation refused: (.*) is inside a linked worktree/im,
    code: 'worktree_failed',
    message: ([, directory]) =>
      `A worktree cannot be created from ${directory}, because that is a worktree itself.`,
    description: 'Choose the main repository as the project directory, or leave the worktree empty.',
  },
  {
    pattern: /--continue and --resume are mutually exclusive/i,
    code: 'invalid_settings',
    message: () => 'Chord cannot both continue and resume a session.',
    description: 'Remove -c and -r from the command arguments in the Chord credential.',
  },
  {
    pattern: /unknown command "headless"|unknown (?:shorthand )?flag: .*/i,
    code: 'not_chord',
    message: ([text]) => `The program does not accept Chord's headless command line: ${text}.`,
    description:
      'Check the command and its arguments in the Chord credential. An old Chord may need an update.',
  },
  {
    pattern:
      /^Error: ((?:load (?:agent configs|auth config|config)|resolve storage paths|.*provider |no initial ).*)/im,
    code: 'invalid_configuration',
    message: ([, reason]) => `Chord rejected its configuration: ${reason}.`,
    description: 'Correct the file. Run "chord doctor config" in a terminal to see what is wrong.',
  },
  {
    // How other programs answer to our command line: `cat`, `git`, `node`, a shell. Never a line of Chord's own.
    pattern:
      /^(?:Error: Cannot find module .*headless'|(?!Error: )(?:usage:.*|.*(?:invalid|unrecognized|illegal|unknown) (?:option|argument|command).*|.*['"/]headless\b.*|.*\bheadless: .*))/im,
    code: 'not_chord',
    message: ([text]) => `The program does not accept Chord's headless command line: ${text.trim()}`,
    description: 'It does not seem to be Chord. Check the command and its arguments in the Chord credential.',
  },
];
