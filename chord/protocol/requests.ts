import { z } from 'zod/v4';
import { anything, count, flag, text, texts } from './fields';

/** A `confirm_request`: Chord asks before it runs a tool. As push and inside `status_response` (`pending_confirm`). */
export const confirmRequest = z.object({
  request_id: text,
  agent_id: text,
  tool_name: text,
  /** The tool's arguments as JSON text. */
  args_json: text,
  needs_approval: texts,
  already_allowed: texts,
  /** Patterns of the rules that made Chord ask. No proposals: installing `*` would allow everything. */
  needs_approval_rules: texts,
  already_allowed_rules: texts,
  /** Milliseconds; 0 is without limit. Chord denies by itself afterwards and says nothing (D1, D2). */
  timeout_ms: count,
  done_report: text,
  done_reason: text,
});

/** A `question_request` or `question_updated` of any question protocol, distinguished by its fields. */
export const questionRequest = z.object({
  request_id: text,
  agent_id: text,
  task_id: text,
  tool_name: text,
  header: text,
  question: text,
  options: texts,
  option_details: texts,
  /** Protocol C only: what an answer names instead of labels. */
  option_ids: texts,
  multiple: flag,
  /** Protocol A. */
  timeout_ms: z.number().optional().catch(undefined),
  default_answer: z.string().optional().catch(undefined),
  /** Protocol B and C, RFC 3339. */
  deadline: z.string().optional().catch(undefined),
  /** Protocol C. */
  version: z.number().optional().catch(undefined),
  binding_id: z.string().optional().catch(undefined),
  response_policy: z.string().optional().catch(undefined),
  default_option_id: z.string().optional().catch(undefined),
  timer: z.string().optional().catch(undefined),
  /** The outcome; its absence means open. */
  reason: z.string().optional().catch(undefined),
  revision_result: anything.optional(),
});

/** One agent that a plan can be handed to. */
const handoffAgent = z.object({
  name: text,
  default: flag,
  model_pools: texts,
  current_model_pool: text,
});

/** A `handoff_request`: Chord has a plan and asks who shall carry it out. */
export const handoffRequest = z.object({
  request_id: text,
  plan_path: text,
  plan_text: text,
  plan_error: text,
  agents: z.array(handoffAgent).catch([]),
});

/** The payload of a `confirm_request`. */
export type ConfirmPayload = z.infer<typeof confirmRequest>;
/** The payload of a `question_request` or `question_updated`. */
export type QuestionPayload = z.infer<typeof questionRequest>;
/** The payload of a `handoff_request`. */
export type HandoffPayload = z.infer<typeof handoffRequest>;
