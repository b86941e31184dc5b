import type {
  AcknowledgeResult,
  LocalCommandRequest,
  LocalCommandResult,
  ModelPoolsDocument,
  ModelsRequest,
  RoleRequest,
  RolesDocument,
  SwitchRequest,
  SwitchResult,
  WhenRequestOpen,
} from './control';
import type { DecidedBy } from './audit';
import type { ChordEvent, Deliver, ListenOptions } from './events';
import type {
  Attribution,
  ConfirmForm,
  DecisionDocument,
  FormOption,
  NewRule,
  RequestDocument,
  RequestKind,
} from './requests';
import type { StatusDocument, StatusRequest } from './status';
import type { ResultDocument, SessionDocument } from './turns';

/** How far a call waits: for the turn, also for its background jobs, or not at all. */
export type WaitFor = 'turn' | 'jobs' | 'nothing';

/** Who gets the requests of a turn that is waited for. */
export type DecisionsMode =
  /** An active production trigger that takes them, else the caller. */
  | 'auto'
  /** The caller, although triggers emit them too. */
  | 'return'
  /** Nobody by this call. */
  | 'leave';

/** What every waiting call has. */
export interface WaitRequest {
  waitFor: WaitFor;
  /** From the call on; 0 is without limit. */
  timeoutMs: number;
  /** Cancel the turn when the limit passes, if it is this call's own. */
  cancelOnTimeout: boolean;
  /** The same when the caller aborts. */
  cancelOnStop: boolean;
  decisions: DecisionsMode;
  /** What the forms of requests offer that come out of this call; left out for nothing more than the decision. */
  approvalForm?: FormOption[];
  /**
   * Names the call (execution id, node, run, item): a second call of the same name returns what the first one came
   * to and writes nothing. Empty: not noted.
   */
  callId: string;
}

/** A message for the agent. */
export interface SendRequest extends WaitRequest {
  message: string;
  whenBusy: 'wait' | 'join' | 'skip' | 'fail';
  whenRequestOpen: WhenRequestOpen;
  allowCommands: boolean;
  /** Run the message as a `/loop on` task. */
  loop: boolean;
  /** Ids of requests that the caller's own execution holds: they are never waited for. */
  heldRequests: string[];
  /** Go on although Chord holds restored inputs, which this message would set free; left out for no. */
  releaseHeld?: boolean;
}

/** What a waiting call came to: the end, or requests that a person must decide first. */
export type CallResult =
  | { kind: 'finished'; result: ResultDocument }
  | { kind: 'needs_decision'; events: ChordEvent[] };

/** What a responder came to: always a decision, and what was waited for afterwards. */
export interface DecisionResult {
  decision: DecisionDocument;
  session: SessionDocument;
  /** `null` when nothing was waited for. */
  after: CallResult | null;
}

/** Which request an answer is for. */
export interface AnswerTarget extends WaitRequest {
  requestId: string;
  /**
   * True when the id came from an item, so that the request did exist: an unknown one is `no_longer_pending` then.
   * A typed id that is unknown is `unknown_request`.
   */
  fromItem: boolean;
  /** Where in n8n the decision was made, for the audit. */
  by?: DecidedBy;
  /** Whose decision it is, where a person was asked. */
  attribution?: Attribution;
}

/** A decision on a `confirm_request`. */
export interface ConfirmDecision extends AnswerTarget {
  action: 'allow' | 'deny';
  denyReason: string;
  /** JSON text of other arguments; empty keeps those that were asked. */
  editedArguments: string;
  editSummary: string;
  rule: NewRule | null;
  /** Goes before the arguments and the rule above. */
  form?: ConfirmForm;
}

/** An answer to a question. */
export interface QuestionAnswer extends AnswerTarget {
  action: 'answer' | 'decline';
  /** Option ids, labels or numbers. */
  answers: string[];
  /** Own words; empty for none. */
  text: string;
  /** A free reply, e.g. from a chat: one of the options where it names one, else own words. Empty or left out for none. */
  reply?: string;
}

/** A decision on a `handoff_request`. */
export interface HandoffDecision extends AnswerTarget {
  action: 'approve' | 'deny' | 'cancel';
  /** Empty: the marked default, else the only one, else an error. */
  agent: string;
  pool: string;
  denyReason: string;
}

/** A request that the ledger knows, open or not. */
export interface LedgerEntryDocument {
  request: RequestDocument;
  state: string;
  /** What a person decided, where somebody did. */
  action: string | null;
  opened_at: string;
  closed_at: string | null;
}

/** The calls that an execution of n8n can wait for: what is asked, and what comes of it. */
export interface SessionCalls {
  send: { request: SendRequest; result: CallResult };
  confirm: { request: ConfirmDecision; result: DecisionResult };
  answer: { request: QuestionAnswer; result: DecisionResult };
  handoff: { request: HandoffDecision; result: DecisionResult };
}

/** Such a call as plain data. */
export type SessionCall<Method extends keyof SessionCalls = keyof SessionCalls> = {
  [Name in Method]: { method: Name; request: SessionCalls[Name]['request'] };
}[Method];

/**
 * One leased session, as nodes see it. Asynchronous throughout, with plain data in and out. After
 * {@link ChordSession.release} it may not be used any more.
 */
export interface ChordSession {
  readonly key: string;
  /** The session as it stands in items, as known now. */
  describe(): Promise<SessionDocument>;
  send(request: SendRequest): Promise<CallResult>;
  confirm(decision: ConfirmDecision): Promise<DecisionResult>;
  answer(answer: QuestionAnswer): Promise<DecisionResult>;
  handoff(decision: HandoffDecision): Promise<DecisionResult>;
  status(request: StatusRequest): Promise<StatusDocument>;
  /**
   * The model pools, or those after setting one. A set pool is read back, since Chord says `ok` for one that does not
   * exist (measured).
   */
  models(request: ModelsRequest): Promise<ModelPoolsDocument>;
  /** The roles, or those after taking one. `not_supported` without the roles capability. */
  role(request: RoleRequest): Promise<RolesDocument>;
  /** Begins a new Chord session in this process, or goes on with an earlier one. */
  switchSession(request: SwitchRequest): Promise<SwitchResult>;
  /** Has Chord do something for which it has a slash command only. */
  command(request: LocalCommandRequest): Promise<LocalCommandResult>;
  /** Cancels the running turn; `false` when nothing ran, and then nothing was written. */
  cancel(): Promise<{ cancelled: boolean }>;
  /**
   * A person knows of the inputs whose outcome is unknown: they are no longer counted, a block by a transfer is lifted,
   * and what only they kept from being started again by itself is. Needs and starts no process.
   */
  acknowledge(): Promise<AcknowledgeResult>;
  /** Runs a command past all permission rules; only where the credential allows it. */
  shell(command: string, callId?: string): Promise<{ output: string; failed: boolean; error: string }>;
  /** What the ledger says of requests: of these ids, else all open ones, of a kind or of any. Never starts a process. */
  requests(query: { ids?: string[]; openOfKind?: RequestKind }): Promise<LedgerEntryDocument[]>;
  /**
   * Registers a listener, until the lease is given back. A slow or throwing one delays nobody.
   *
   * @param deliver gets the events in order, each with its position: the first one of this listener's id is 1. Once it
   *   has returned, or the promise that it returned is fulfilled, the event is acknowledged. What a production listener
   *   has not acknowledged comes once more, under its position, when a listener of the same id registers again; a
   *   request only if it is still open
   */
  listen(options: ListenOptions, deliver: Deliver): Promise<void>;
  /** Gives the lease back. Idempotent. Stops nothing: it starts the idle clock. */
  release(): Promise<void>;
}
