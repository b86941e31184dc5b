import type { RequestDocument } from './requests';
import type { SessionDocument } from './turns';

/** What a session can do, each seen by itself; `null` while nothing has told yet. */
export interface CapabilityDocument {
  versioned_status: boolean | null;
  roles: boolean | null;
  running_jobs: boolean | null;
  workdir: boolean | null;
  receipts: boolean | null;
  question_protocol: 'A' | 'B' | 'C' | null;
  handoff_holds_idle: boolean | null;
  session_switched: boolean | null;
  confirm_resolved: boolean | null;
  images: boolean | null;
  mcp: boolean | null;
  input_queue: boolean | null;
  transfer: boolean | null;
}

/** How the starts of a session's process went. */
export interface StartDocument {
  /** Starts that failed and processes that ended unexpectedly, since one ran well for a minute. */
  failed: number;
  /** RFC 3339: no start before it, or the next try by itself; `null` where nothing stands in the way or is planned. */
  next_try_at: string | null;
}

/** One session's snapshot. `null` means never reported or not asked. */
export interface StatusDocument {
  session: SessionDocument;
  running: boolean;
  /**
   * Why there is no process: `never_started`, `idle`, `stopped`, `crashed`, `start_failed`, `given_up` …; `null` while
   * it runs.
   */
  stopped_because: string | null;
  start: StartDocument;
  busy: boolean | null;
  phase: string | null;
  open_requests: RequestDocument[];
  queued_sends: number;
  /** Inputs whose outcome is unknown. */
  unknown_inputs: number;
  unknown_input_list: UnknownInputDocument[];
  running_jobs: number | null;
  last_outcome: string | null;
  last_error: string | null;
  capabilities: CapabilityDocument | null;
  models: string | null;
  /** Executions of n8n that are suspended until a call to this session ends. */
  waits: WaitDocument[];
  diagnostics: Record<string, unknown> | null;
}

/** A message or an answer of which nobody knows what became; it is never sent again by itself. */
export interface UnknownInputDocument {
  kind: 'message' | 'answer';
  /** The id under which the message was sent, or of the request that was answered. */
  request_id: string;
  /** For people, e.g. the beginning of the message. */
  text: string;
  /** RFC 3339: when it became unknown. */
  since: string;
}

/** An execution of n8n that is suspended until its call ends. */
export interface WaitDocument {
  execution_id: string;
  workflow: string;
  node: string;
  /** RFC 3339. */
  since: string;
  /** When n8n was last called to go on with it; `null` while its call has not ended. */
  last_try: string | null;
  /** Why it has not gone on although its call ended ten minutes ago or more. */
  problem: string | null;
}

/** What to ask for beside the snapshot. */
export interface StatusRequest {
  diagnostics: boolean;
  includeModels: boolean;
}
