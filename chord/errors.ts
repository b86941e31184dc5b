/**
 * What has to change before the same start can go well: somebody the settings or the machine (`user`), or another start
 * mode or session id will do (`start`); whoever has the session has to give it back (`holder`); n8n has to be run in
 * another way (`host`).
 */
export type Cure = 'user' | 'start' | 'holder' | 'host';

interface ErrorKind {
  /** When it happens. */
  when: string;
  /** Left out where the next try may go well by itself. */
  cure?: Cure;
}

/**
 * Every `code` that a {@link ChordError} can have, and when it occurs. Workflows branch on these codes in the error
 * output, so they never change.
 */
export const errorCodes = {
  // Starting Chord
  binary_not_found: {
    when: 'The chord program is neither where the credential says nor on the PATH.',
    cure: 'user',
  },
  binary_not_executable: { when: 'The file exists, but this user is not allowed to run it.', cure: 'user' },
  not_chord: { when: 'The program started, but it is not Chord.', cure: 'user' },
  directory_missing: { when: 'The project directory does not exist.', cure: 'user' },
  directory_not_a_folder: { when: 'The project directory is a file.', cure: 'user' },
  directory_unreadable: {
    when: 'The user that runs n8n does not have permission to open the project directory.',
    cure: 'user',
  },
  directory_not_allowed: {
    when: 'The project directory is outside the allowed directories of the credential.',
    cure: 'user',
  },
  invalid_settings: {
    when: 'A setting of the credential or the session is not valid.',
    cure: 'start',
  },
  invalid_name: {
    when: 'The name of a session or a worktree contains something that is not allowed.',
    cure: 'user',
  },
  not_a_repository: {
    when: 'A worktree needs a git repository, and the project directory is not in one.',
    cure: 'user',
  },
  repository_not_trusted: {
    when: 'git does not trust the repository, because it belongs to another user.',
    cure: 'user',
  },
  repository_empty: {
    when: 'The git repository has no commit yet that a worktree could start from.',
    cure: 'user',
  },
  worktree_failed: { when: 'git could not create the worktree.', cure: 'user' },
  no_home_folder: { when: 'The user that runs n8n has no home folder.', cure: 'user' },
  folder_not_writable: { when: "Files cannot be written to n8n's folder." },
  disk_full: { when: "The disk of n8n's folder is full." },
  no_configuration: { when: 'Chord has no configuration yet on this machine.', cure: 'user' },
  invalid_configuration: { when: 'Chord rejected its own configuration.', cure: 'user' },
  session_not_found: {
    when: 'Chord does not know the session ID, or the session has no messages.',
    cure: 'start',
  },
  session_held: { when: 'Another process has this Chord session open.', cure: 'holder' },
  owned_elsewhere: { when: 'Another n8n process owns this session.', cure: 'holder' },
  n8n_is_pid_1: { when: 'n8n runs as process 1, where Chord exits at once.', cure: 'host' },
  queue_mode: {
    when: 'n8n runs in queue mode, where its processes would not share the sessions.',
    cure: 'user',
  },
  start_timeout: { when: 'Chord was not ready in time.' },
  exited_before_ready: { when: 'Chord ended before it was ready.' },
  start_failed: { when: 'Chord could not be started for another reason.' },
  given_up: { when: 'Chord ended too often in a short time and is not restarted automatically.' },
  pin_ambiguous: {
    when: 'It is not clear which session to continue; the error lists those that are possible.',
    cure: 'start',
  },
  incompatible_registry: { when: 'Two versions of this package are installed that cannot share sessions.' },
  // Talking to a running Chord
  process_exited: { when: 'Chord ended while something was waiting for it.' },
  write_failed: { when: 'A command could not be sent to Chord.' },
  message_too_long: { when: 'The command is longer than the 1 MiB that Chord accepts.' },
  command_failed: { when: 'Chord answered a command with an error.' },
  reply_timeout: { when: 'Chord did not answer a command in time.' },
  not_supported: { when: 'This Chord does not have the feature.' },
  // Sending
  empty_message: { when: 'There is no text to send.' },
  command_not_allowed: { when: 'The text begins with a slash, and this node does not allow commands.' },
  session_busy: { when: 'The session is working on something else.' },
  request_open: { when: 'The session is waiting for a decision; a message would dismiss the request.' },
  turn_failed: { when: 'The turn ended with an error.' },
  timeout: { when: 'The time limit passed while waiting.' },
  interrupted: {
    when: 'The wait ended without a result: the execution was stopped, or n8n is shutting down.',
  },
  rejected: { when: 'Chord rejected the message.' },
  inputs_held: { when: 'Chord has restored earlier messages, which the next message would release.' },
  n8n_unreachable: {
    when: 'n8n did not say whether a suspended execution is still waiting; nothing was sent.',
  },
  result_dropped: { when: 'The call was made before, and its result is no longer stored.' },
  resume_unsupported: { when: 'This n8n cannot resume a suspended Chord node.' },
  // Requests
  no_decision: { when: 'There is no decision where one was expected. No decision is ever an approval.' },
  no_responder: { when: 'The decision does not say who made it, and the node requires that.' },
  sample_request: { when: 'The request is a sample from the Chord Trigger, not a real one.' },
  unknown_request: { when: 'The session never had a request with this ID.' },
  already_answered: { when: 'The request has been answered; the error says how and when.' },
  no_longer_pending: { when: 'The request ended without this answer; the error says why.' },
  wrong_kind: { when: 'The request is of a different kind.' },
  wrong_session: { when: 'The request or session key belongs to a different session.', cure: 'start' },
  ambiguous_request: { when: 'Several requests are possible; the error lists them.' },
  invalid_answer: { when: 'The answer does not fit the request.' },
  not_delivered: { when: 'The answer could not be sent; the request is still open.' },
  outcome_unknown: { when: 'An answer or a message was sent, but its outcome is unknown.' },
  // Ours
  internal: { when: 'An error in this package.' },
} as const satisfies Record<string, ErrorKind>;

/** A word of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** What has to change before a call that ended with this code can go well; `undefined` where it may by itself. */
export const cureOf = (code: ErrorCode): Cure | undefined => {
  const kind: ErrorKind = errorCodes[code];
  return kind.cure;
};

/** What a {@link ChordError} knows besides its message. All of it may be shown to a person: no secrets. */
export interface ErrorFacts {
  /** What the user can do, in one or two sentences. */
  description?: string;
  cause?: unknown;
  /** The session's key, where one was meant. */
  sessionKey?: string;
  requestId?: string;
  /** How the process ended, where it did. */
  exitCode?: number | null;
  signal?: string | null;
  /** The last part of the process's stderr, secrets masked. */
  stderrTail?: string;
  /** It refused a decision and is in the audit already: whoever passes it on must not record it again. */
  audited?: boolean;
  /** Further plain data for the error's context in a node, e.g. the finished part of a turn. */
  details?: Record<string, unknown>;
}

/** The one error class of this package. `message` says what happened and to what; `description` what to do. */
export class ChordError extends Error {
  override readonly name = 'ChordError';

  readonly description: string;

  readonly facts: ErrorFacts;

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.facts = facts;
    this.description = facts.description ?? '';
  }

  /** True for errors of this class, also from another loaded copy of this package (n8n may load two). */
  static is(error: unknown): error is ChordError {
    return error instanceof Error && error.name === 'ChordError' && 'code' in error;
  }
}
