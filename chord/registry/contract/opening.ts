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
