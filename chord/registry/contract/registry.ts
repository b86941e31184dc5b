import type { AuditEntry, ChordSession, DecisionAttempt, StatusDocument } from '../../session/contract';
import type { OpenRequest } from './opening';
import type { SuspendedCalls } from './waits';

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

/**
 * Many sessions, one Chord process each, shared by all who name the same. Asynchronous throughout, with plain data in and
 * out that survives `structuredClone`, so that an implementation in another process fits; `test/contract` holds every
 * implementation to it. Errors are a `ChordError`, which such an implementation passes on as an `ErrorDocument`.
 */
export interface ChordRegistry {
  readonly waits: SuspendedCalls;
  /**
   * A node's run has ended: the outcomes of its calls are no longer needed.
   *
   * @param run the part of their `callId` before the item
   */
  runEnded(run: string): Promise<void>;
  /** Records a decision that was refused before it reached a session; sessions record their own. */
  noteRefused(decision: DecisionAttempt): Promise<void>;
  /** The newest attempted decisions in the sessions of a credential, the latest first. */
  decisions(credentialId: string, limit: number): Promise<AuditEntry[]>;
  /**
   * Leases a session. Concurrent calls for one key share one start and its error.
   *
   * @throws ChordError for a bad directory or setting, before anything is started
   */
  open(request: OpenRequest): Promise<ChordSession>;
  /**
   * The key of a session, which items name it by. Opens nothing.
   *
   * @throws ChordError for a bad directory or setting
   */
  keyOf(request: Pick<OpenRequest, 'settings' | 'address'>): Promise<string>;
  /**
   * Ends a call early, with `interrupted`; what was not written yet is not written any more.
   *
   * @param callId the name that the call was given
   * @returns false when no such call is under way
   */
  cancelCall(callId: string): Promise<boolean>;
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
