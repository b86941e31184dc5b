/**
 * Every `code` that a {@link ChordError} can carry, with when it happens. Workflows branch on these words in the
 * error output, so they stay.
 */
export const errorCodes = {
  // Starting Chord
  binary_not_found: 'The chord program is not where the credential says, nor on the PATH.',
  binary_not_executable: 'The file exists, but this user may not run it.',
  not_chord: 'The program started, but it is not Chord.',
  directory_missing: 'The project directory does not exist.',
  directory_not_a_folder: 'The project directory is a file.',
  directory_unreadable: 'The user that runs n8n may not enter the project directory.',
  directory_not_allowed: 'The project directory lies outside the allowed directories of the credential.',
  invalid_settings: 'A setting of the credential or the session cannot be used as it stands.',
  invalid_name: 'The name of a session or a worktree holds what it must not.',
  not_a_repository: 'A worktree was asked for, and the project directory lies in no git repository.',
  repository_not_trusted: 'git refuses the repository, since it belongs to another user.',
  repository_empty: 'The git repository has no commit yet that a worktree could begin with.',
  worktree_failed: 'git could not make the worktree.',
  no_home_folder: 'The user that runs n8n has no home folder.',
  folder_not_writable: "No file can be written in n8n's folder.",
  disk_full: "The disk of n8n's folder is full.",
  no_configuration: 'Chord has no configuration yet on this machine.',
  invalid_configuration: 'Chord refused its own configuration.',
  session_not_found: 'Chord does not know the session id, or the session has no messages.',
  session_held: 'Another process has this Chord session open.',
  owned_elsewhere: 'Another n8n process owns this session.',
  n8n_is_pid_1: 'n8n runs as process 1, under which Chord leaves at once.',
  queue_mode: 'n8n runs in queue mode, where its processes would not share the sessions.',
  start_timeout: 'Chord did not say ready in time.',
  exited_before_ready: 'Chord ended before it said ready.',
  start_failed: 'Chord could not be started for another reason.',
  given_up: 'Chord ended too often in a short time; it is not started again by itself.',
  pin_ambiguous: 'The session to continue cannot be told; where there are possible ones, they are listed.',
  incompatible_registry: 'Two versions of this package are installed that cannot share sessions.',
  // Talking to a running Chord
  process_exited: 'Chord ended while something waited for it.',
  write_failed: 'A line could not be written to Chord.',
  message_too_long: 'The command line is longer than the 1 MiB that Chord reads.',
  command_failed: 'Chord answered a command with an error.',
  reply_timeout: 'Chord did not answer a command in time.',
  not_supported: 'This Chord does not have the feature.',
  // Sending
  empty_message: 'There is no text to send.',
  command_not_allowed: 'The text begins with a slash, and commands are not allowed here.',
  session_busy: 'The session works on something else.',
  request_open: 'The session waits for a decision; a message would dismiss it.',
  turn_failed: 'The turn ended with an error.',
  timeout: 'The time limit passed while waiting.',
  interrupted: 'The wait ended before the result: the execution was stopped, or n8n shuts down.',
  rejected: 'Chord refused the message.',
  inputs_held: 'Chord holds restored messages, which the next one would set free.',
  n8n_unreachable: 'n8n could not be asked whether a suspended execution still waits; nothing was sent.',
  result_dropped: 'The call was made before, and its result is not kept any more.',
  resume_unsupported: 'This n8n cannot go on with a suspended Chord node.',
  // Requests
  no_decision: 'There is no decision where one was expected. No decision is ever an approval.',
  no_responder: 'The decision does not say who made it, and the node demands that.',
  sample_request: 'The request is a sample of the Chord Trigger, which nobody asked.',
  unknown_request: 'The session never had a request of this id.',
  already_answered: 'The request has been answered; the error says how and when.',
  no_longer_pending: 'The request ended without this answer; the error says why.',
  wrong_kind: 'The request is of another kind.',
  wrong_session: 'The request or session key belongs to another session.',
  ambiguous_request: 'Several requests could be meant; the error lists them.',
  invalid_answer: 'The answer does not fit the request.',
  not_delivered: 'The answer could not be written; the request is still open.',
  outcome_unknown: 'An answer or a message was written, but nothing tells what became of it.',
  // Ours
  internal: 'A fault of this package.',
} as const;

/** A word of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** What a {@link ChordError} knows beside its message. All of it may be shown to a person: no secrets. */
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
  /** It refused a decision and stands in the audit already: whoever passes it on must not tell it once more. */
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
