import type { LaunchSettings } from '../process/LaunchSettings';
import type {
  AuditEntry,
  CallControl,
  ChordSession,
  StatusDocument,
  DecisionAttempt,
} from '../session/contract';

/** How and where Chord is started: the credential, as plain data. */
export interface ConnectionSettings extends LaunchSettings {
  credentialId: string;
  allowLocalShell: boolean;
  /** 0 is never. */
  idleTimeoutMs: number;
  restartOnCrash: boolean;
  /** Where n8n can be reached from itself, to go on with suspended executions; empty: found by itself. */
  n8nAddress: string;
  /** Whether the audit keeps the arguments of what was decided, and not only their hash. */
  auditArguments: boolean;
}

/** How a process of the session is started, if none runs. Not part of the key. */
export interface StartOptions {
  mode: 'continue' | 'new' | 'resume' | 'latest';
  /** With `resume`. */
  sessionId: string;
}

/** Which session is meant: by name, or by a key from an item. */
export type SessionAddress =
  | { projectDirectory: string; sessionName: string; worktree: string }
  | { key: string };

/** Asks for a session. */
export interface OpenRequest {
  settings: ConnectionSettings;
  address: SessionAddress;
  start: StartOptions;
  /**
   * `now`: a process runs when the call returns. `on_demand`: it is started by the first call that needs one.
   * `never`: a session without a process stays so; its `confirm` says `no_longer_pending`.
   */
  process: 'now' | 'on_demand' | 'never';
  /**
   * Waits, 60 s at most, while it is being watched whether another n8n process that owns the session still lives; else
   * `owned_elsewhere` is thrown at once. True by default; false where somebody tries again by himself.
   */
  waitsForOwner?: boolean;
  /**
   * What a person does who looks on, by a name of its own such as the execution that they started by hand: it may try a
   * start at once, although one failed shortly before. Left out when nobody does.
   */
  attended?: string;
  /** Who holds the lease, for Status and errors, e.g. "Chord Trigger in workflow 12". */
  holder: string;
}

/** An execution of n8n that is about to wait for a call without holding a worker. */
export interface ParkRequest {
  /** Names the call: execution, node, run and item. */
  callId: string;
  executionId: string;
  /** n8n's address of the waiting node, with n8n's own signature where it has one. */
  resumeUrl: string;
  /** Address of n8n as it can be reached from itself; empty: found by itself. */
  n8nAddress: string;
  sessionKey: string;
  /** For people: the node and its workflow. */
  waiter: string;
  workflow: string;
  node: string;
}

/** What a resume call comes to: `too_early` while n8n has not stored the wait, `refused` for every other call. */
export type Claim = 'taken' | 'too_early' | 'refused';

/** Calls that n8n waits for in its own waiting state, over a restart too. */
export interface SuspendedCalls {
  /**
   * Makes a call and keeps what it comes to; when it has ended, n8n is called at the execution's address, with a
   * one-time token. The wait is on the disk before the call is made. What the call writes by this `callId` is written
   * only while the execution waits.
   */
  park(request: ParkRequest, call: (control: CallControl) => Promise<unknown>): Promise<void>;
  /**
   * Takes a resume call in: synchronous, and `taken` exactly once for a token.
   *
   * @param isStored whether the state that n8n would go on from is one in which the execution waits for this call
   */
  claim(executionId: string, token: string, isStored: (callId: string) => boolean): Claim;
  /**
   * What a parked call came to; known until its node's run has ended, also over a restart.
   *
   * @throws ChordError the call's own error, or `interrupted` when nothing is known of it any more
   */
  take(callId: string): Promise<unknown>;
  /**
   * Ends a wait: its node fails with `interrupted`. What was not sent yet is not sent any more.
   *
   * @param by who ends it, for the error
   * @returns false when no such execution waits for this session
   */
  cancel(executionId: string, sessionKey: string, by: string): Promise<boolean>;
  /** Where problems are told that nobody would hear of otherwise: n8n's log. */
  warnWith(warn: (problem: string) => void): void;
}

/** An earlier session of a project that can be resumed. */
export interface SavedSession {
  id: string;
  /** What it was begun with; empty where Chord has not noted it. */
  first_message: string;
  /** RFC 3339. */
  updated_at: string;
  /** Of its conversation. */
  size_bytes: number;
}

/** How a session's process is stopped. */
export interface StopOptions {
  /** Although work, requests or jobs are open. */
  force: boolean;
  /** Who asks for it: not named among those who hold the session. */
  holder?: string;
}

/** Many sessions, one Chord process each, shared by all who name the same. */
export interface ChordRegistry {
  readonly waits: SuspendedCalls;
  /**
   * A node's run has come to its end: what its calls had written and came to is not asked for any more.
   *
   * @param run the part of their `callId` before the item
   */
  runEnded(run: string): Promise<void>;
  /** Writes a decision down that was refused before it reached a session; sessions write their own. */
  noteRefused(decision: DecisionAttempt): Promise<void>;
  /** The newest decisions that were tried in the sessions of a credential, the latest first. */
  decisions(credentialId: string, limit: number): Promise<AuditEntry[]>;
  /**
   * Leases a session. Concurrent calls for one key share one start and its error.
   *
   * @throws ChordError for a bad directory or setting, before anything is started
   */
  open(request: OpenRequest): Promise<ChordSession>;
  /** All known sessions of a credential. */
  list(credentialId: string): Promise<StatusDocument[]>;
  /**
   * The earlier sessions of a project, the one used last first, from Chord's own files: starts nothing.
   *
   * @throws ChordError for a bad directory, and where Chord runs on another machine
   */
  savedSessions(request: Pick<OpenRequest, 'settings' | 'address'>): Promise<SavedSession[]>;
  /**
   * Stops a session's process.
   *
   * @throws ChordError `request_open` or `session_busy` while that would disturb somebody, unless forced
   */
  stop(key: string, options: StopOptions): Promise<void>;
  /** Ends everything: every waiter is settled, every process stopped. */
  shutdown(): Promise<void>;
}
