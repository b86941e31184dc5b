import type { RequestKind } from './requests';
import type { Texts } from './texts';

/** How a call ended. `failed` only stands in `turn_finished` events: whoever waited for the turn gets an error. */
export type Outcome = 'completed' | 'cancelled' | 'failed' | 'handled' | 'sent' | 'queued' | 'skipped';

/** An agent as it stands in items. The main agent's fields are empty. */
export interface AgentDocument {
  id: string;
  type: string;
  task_id: string;
  is_main: boolean;
}

/** A session as it stands in items. */
export interface SessionDocument {
  key: string;
  /** Chord's session id; empty while no process ran yet. */
  id: string;
  name: string;
  project_directory: string;
  /** The active role; empty where Chord does not tell. */
  role: string;
}

/** A report of the agent (`done`). */
export interface ReportDocument {
  text: string;
  /** False when a person denied it, so that the agent works on. */
  accepted: boolean;
  reason: string;
  status: string;
}

/** A request that came up in a turn, and who got it. */
export interface TurnRequest {
  id: string;
  kind: RequestKind;
  /** `trigger`: a Chord Trigger has it; `output`: the Send that returned it; empty: nobody was there. */
  handed_to: 'trigger' | 'output' | '';
}

/** An image that Chord made. Its bytes become binary data in n8n. */
export interface ImageDocument {
  reference: string;
  call_id: string;
  mime_type: string;
  width: number;
  height: number;
  /**
   * The file with the whole image, on the machine of the registry; kept for 30 days, sooner only where all images
   * together take too much room.
   */
  file: string;
}

/** Everything that a turn brought, from the first observed work to the global `idle`. */
export interface TurnDocument {
  messages: { agent: AgentDocument; text: string }[];
  reports: ReportDocument[];
  subagents: { agent: AgentDocument; summary: string }[];
  background_results: string[];
  images: ImageDocument[];
  warnings: string[];
  errors: string[];
  requests: TurnRequest[];
  last_outcome: string;
  tool_calls: { main: number; subagents: number };
  retries: number;
  /** `null` where Chord does not count jobs. */
  running_jobs: number | null;
  started_at: string;
  ended_at: string;
  duration_ms: number;
}

/** What a turn cost, from Chord's own usage file; `null` where it cannot be read. */
export interface UsageDocument {
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

/**
 * What Send, a responder that waited, and `turn_finished` have in common. Its `text` is the last non-empty message of
 * the main agent, else the accepted report.
 */
export interface ResultDocument extends Texts {
  outcome: Outcome;
  session: SessionDocument;
  /** `null` when nothing was waited for. */
  turn: TurnDocument | null;
  usage: UsageDocument | null;
  /** Why nothing was sent, with outcome `skipped`. */
  reason?: string;
  /** Ids of the requests that this message closed knowingly (`whenRequestOpen: dismiss`). */
  dismissed?: string[];
  /** What a person should know, where there is no turn to say it in: inputs that were unknown when a process ended. */
  warnings?: string[];
  /** True when the result is shared with the message that this one joined. */
  shared?: boolean;
}
