import type { ConnectionSettings } from './connection';

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
   * `never`: no process is started; without one, `confirm` fails with `no_longer_pending`.
   */
  process: 'now' | 'on_demand' | 'never';
  /**
   * Waits, 60 s at most, until it is clear whether another n8n process that owns the session still lives; otherwise
   * `owned_elsewhere` is thrown at once. True by default; false for a caller that retries on its own.
   */
  waitsForOwner?: boolean;
  /**
   * Names what a person is doing and watching, such as the execution that they started by hand: it may try a start at
   * once, even if one failed shortly before. Left out when nobody is watching.
   */
  attended?: string;
  /** Who holds the lease, for Status and errors, e.g. "Chord Trigger in workflow 12". */
  holder: string;
}
