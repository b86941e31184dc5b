import type { LaunchSettings } from '../process/LaunchSettings';
import type { ChordSession, StatusDocument } from '../session/contract';

/** How and where Chord is started: the credential, as plain data. */
export interface ConnectionSettings extends LaunchSettings {
  credentialId: string;
  allowLocalShell: boolean;
  /** 0 is never. */
  idleTimeoutMs: number;
  restartOnCrash: boolean;
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
  /** Who holds the lease, for Status and errors, e.g. "Chord Trigger in workflow 12". */
  holder: string;
}

/** Many sessions, one Chord process each, shared by all who name the same. */
export interface ChordRegistry {
  /**
   * Leases a session. Concurrent calls for one key share one start and its error.
   *
   * @throws ChordError for a bad directory or setting, before anything is started
   */
  open(request: OpenRequest): Promise<ChordSession>;
  /** All known sessions of a credential. */
  list(credentialId: string): Promise<StatusDocument[]>;
  /** Stops a session's process. Fails with `session_busy` while that would disturb somebody, unless forced. */
  stop(key: string, options: { force: boolean }): Promise<void>;
  /** Ends everything: every waiter is settled, every process stopped. */
  shutdown(): Promise<void>;
}
