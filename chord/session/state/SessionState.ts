import { noCapabilities, type Capabilities } from '../../protocol/capabilities';
import { Ledger, type LedgerEntry } from './Ledger';

/**
 * What is known of one session: from its envelopes, and from what operations have written (a decision on its way, a
 * cancel). Plain, never changed in place.
 */
export interface SessionState {
  /** Counts envelopes. */
  readonly step: number;
  readonly sessionId: string;
  readonly role: string;
  /** Chord works, or waits for a person in the middle of work. */
  readonly busy: boolean;
  /** The main agent rests because a question is open that it needs answered (protocol C). */
  readonly parked: boolean;
  /** The step of the last push that told whether Chord works. */
  readonly activeStep: number;
  /** Coarse and in words, e.g. `running tools`; `null` while nothing runs. */
  readonly phase: string | null;
  readonly workdirGeneration: number;
  /** `null` where Chord does not count jobs. */
  readonly runningJobs: number | null;
  readonly lastOutcome: string | null;
  readonly lastError: string | null;
  /** Of this process; a snapshot below it is stale. */
  readonly highestSeq: number;
  readonly capabilities: Capabilities;
  readonly ledger: Ledger;
  /** From the first `session_transfer_*` until the release, a new process or a person's word: no new input. */
  readonly transferring: boolean;
  /** Inputs that Chord restored and holds until the next message; `null` where it does not tell. */
  readonly heldInputs: number | null;
}

/** Before the first process. */
export const initialState: SessionState = {
  step: 0,
  sessionId: '',
  role: '',
  busy: false,
  parked: false,
  activeStep: 0,
  phase: null,
  workdirGeneration: -1,
  runningJobs: null,
  lastOutcome: null,
  lastError: null,
  highestSeq: 0,
  capabilities: noCapabilities,
  ledger: Ledger.empty,
  transferring: false,
  heldInputs: null,
};

/** How it was learned that a request is closed. Only an `event` proves what became of an answer. */
export type ClosedBy = 'event' | 'snapshot' | 'idle' | 'send' | 'cancel' | 'exit' | 'switch';

/** What an envelope changed, beside the state: what the session has to act on. */
export type Change =
  | { kind: 'opened'; entry: LedgerEntry }
  | { kind: 'closed'; entry: LedgerEntry; by: ClosedBy }
  | { kind: 'session'; sessionId: string }
  | { kind: 'stale' };

/** The new state and what changed. */
export interface Transition {
  readonly state: SessionState;
  readonly changes: readonly Change[];
}
