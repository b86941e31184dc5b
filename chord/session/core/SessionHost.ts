import type { SecretMask } from '../../process/SecretMask';
import type { ExitReport } from '../../process/Transport';
import type { DecisionAttempt, WaitDocument } from '../contract';

/** Which session this is; fixed for its life. */
export interface SessionIdentity {
  key: string;
  name: string;
  /** Real path. */
  projectDirectory: string;
  /** Whether the credential allows a local shell. */
  allowLocalShell: boolean;
  /** Where Chord keeps its sessions, for the usage file; empty where it cannot be read from here. */
  sessionsDirectory: string;
  /** The credential's secrets, which Chord's own words come without already. Left out: there are none. */
  secrets?: SecretMask;
}

/** The ids of a project's sessions, or `null` where they cannot be seen. */
export type SessionsBefore = readonly string[] | null;

/** Keeps what named calls have written and came to, over the life of this process. */
export interface CallKeeper {
  /** What became of a call that an earlier process had written; `undefined` when there was none. */
  earlier(callId: string): Promise<unknown> | undefined;
  /**
   * To be asked before a call is written, which may stand long after it was made.
   *
   * @throws ChordError when it must not be written any more: nobody waits for it
   */
  stillWanted(callId: string): Promise<void>;
  /** A call is about to be written: once this resolves, it counts as written, whatever happens to this process. */
  writing(callId: string): Promise<void>;
  /** A call that counted as written was not written after all. */
  withdrawn(callId: string): void;
  /** A call that was written has ended. */
  ended(callId: string, call: Promise<unknown>): void;
}

/** What a session needs of the registry that holds it. */
export interface SessionHost {
  readonly calls: CallKeeper;
  /** The executions of n8n that are suspended until a call to this session ends. */
  waits(): WaitDocument[];
  /**
   * Makes sure that a process is attached: returns when one is, starts one where the caller's lease allows it.
   *
   * @throws ChordError why there is none
   */
  ensureProcess(): Promise<void>;
  /**
   * Chord works in this session now. `empty` until its first message: such a session cannot be resumed (measured),
   * so the pin must not name it as one to resume.
   */
  sessionChanged(sessionId: string, content: 'empty' | 'used'): void;
  /**
   * The sessions that Chord keeps of this project now, or `null` where they cannot be seen: asked right before a
   * handoff is accepted on a Chord that does not tell which session it opens then.
   */
  sessionsBefore(): SessionsBefore;
  /** The handoff was accepted: Chord works in a session that was not there before. Not proved, it may. */
  handedOff(before: SessionsBefore, proved: boolean): void;
  /** The session that a handoff opened, once exactly one was made since; `undefined` while that is not so. */
  sessionSince(): Promise<string | undefined>;
  /**
   * Puts the bytes of an image into a file of their own.
   *
   * @returns its path
   * @throws where there is no room for it
   */
  keepImage(bytes: Buffer): string;
  /** Something happened: the idle clock starts anew, and quietness may have changed. */
  touched(): void;
  /** A decision was tried: for the audit. Must not throw. */
  onDecisionAttempt(decision: DecisionAttempt): void;
  /** The attached process is gone. The session has settled its waiters already. */
  exited(report: ExitReport): void;
}
