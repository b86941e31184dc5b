import type { UnknownInputDocument } from './status';

/** What to do when a slash command would close an open request. */
export type WhenRequestOpen = 'fail' | 'wait' | 'skip' | 'dismiss';

/** What a command has that must go as a message, which closes open requests. */
export interface MessageRules {
  whenRequestOpen: WhenRequestOpen;
  /** Ids of requests that the caller's own execution holds: they are never waited for. */
  heldRequests: string[];
  /** Names the call, as in every waiting call: a second one of the same name writes nothing. */
  callId: string;
}

/** Asks for the model pools, or sets one. */
export interface ModelsRequest {
  /** Left out: nothing is set. */
  pool?: string;
  /** With `pool`: the agent whose pool is fixed; left out: the pool of the main roles. */
  agent?: string;
  /** With `agent`, which Chord has only a slash command for. */
  rules?: MessageRules;
}

/** The model pool of one agent. */
export interface AgentPoolDocument {
  name: string;
  /** Empty: it has none. */
  pool: string;
  /** It was set for this agent by itself, so the pool of the main roles does not move it. */
  fixed: boolean;
}

/** The model pools, as far as Chord's plain text tells them. */
export interface ModelPoolsDocument {
  /** Chord's own text, for people. */
  text: string;
  /** The pool that was chosen for the main roles; empty while each one uses its first. */
  current_pool: string;
  agents: AgentPoolDocument[];
  /** Why nothing was set, with `whenRequestOpen: skip`. */
  skipped?: string;
}

/** Asks for the roles, or takes one. */
export interface RoleRequest {
  /** Left out: nothing is changed. */
  role?: string;
  /** Take it also while somebody else is at work in the session. */
  force?: boolean;
}

/** The roles of the main agent. */
export interface RolesDocument {
  roles: { name: string; current: boolean }[];
}

/** Moves the running process to another Chord session. */
export interface SwitchRequest extends MessageRules {
  /** Empty: a new session. */
  sessionId: string;
  /** Cancel running work and dismiss open requests for it. */
  force: boolean;
}

/** What a switch came to. */
export interface SwitchResult {
  previous_session_id: string;
  /** The session that Chord works in now; `null` where this Chord does not tell. */
  active_session_id: string | null;
  /** What Chord said about it. */
  text: string;
  /** Why nothing was done, with `whenRequestOpen: skip`. */
  skipped?: string;
}

/** A command that Chord does by itself and has no wire command for. */
export interface LocalCommandRequest extends MessageRules {
  /** `compact` makes the conversation shorter once Chord is idle; `loop_off` ends loop mode, also in a running turn. */
  command: 'compact' | 'loop_off';
}

/** What Chord said about a command. */
export interface LocalCommandResult {
  text: string;
  /** Why nothing was done, with `whenRequestOpen: skip`. */
  skipped?: string;
}

/** What a person's word about unknown inputs ended. */
export interface AcknowledgeResult {
  unknown_inputs: UnknownInputDocument[];
  /** Whether a block by a transfer was lifted. */
  transfer_lifted: boolean;
}
