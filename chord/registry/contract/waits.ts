import type { OpenRequest } from './opening';
import type { SessionCall } from '../../session/contract';

/** An execution of n8n that is about to wait for a call without holding a worker. */
export interface ParkRequest {
  /** How the session is opened that the call is made to. */
  open: OpenRequest;
  /** The call; its `callId` names the wait, too. */
  call: SessionCall;
  executionId: string;
  /** n8n's address of the waiting node, with n8n's own signature where it has one. */
  resumeUrl: string;
  /** For people: the names of the waiting workflow and node. */
  workflow: string;
  node: string;
}

/** A call to the address of a waiting execution. */
export interface ResumeCall {
  executionId: string;
  token: string;
  /**
   * The calls that the execution waits for in the state that n8n would go on from; `null` where this n8n does not let us
   * see that.
   */
  storedCalls: string[] | null;
}

/** What a resume call comes to: `too_early` while n8n has not stored the wait, `refused` for every other call. */
export type Claim = 'taken' | 'too_early' | 'refused';

/** Calls that n8n waits for in its own waiting state, over a restart too. */
export interface SuspendedCalls {
  /**
   * Makes a call and keeps what it comes to; when it has ended, n8n is called at the execution's address, with a
   * one-time token. The wait is on the disk before the call is made. What the call writes by its `callId` is written
   * only while the execution waits.
   *
   * @throws ChordError when the session cannot be opened or the wait cannot be stored; the call is then not made
   */
  park(request: ParkRequest): Promise<void>;
  /** Accepts a resume call: one atomic step, `taken` exactly once for a token. */
  claim(call: ResumeCall): Promise<Claim>;
  /**
   * The outcome of a parked call; kept until its node's run has ended, also over a restart.
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
}
