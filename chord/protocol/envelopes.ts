import { z } from 'zod/v4';
import { anything, count, flag, maybeCount, text, texts } from './fields';
import { confirmRequest, handoffRequest, questionRequest } from './requests';

/** One line of Chord's stdout. Types and fields that we do not know pass through whole. */
export const envelopeSchema = z.looseObject({
  type: z.string(),
  /** Only in builds with a versioned status; rises with every push of one process. */
  seq: z.number().optional().catch(undefined),
  payload: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** One line of Chord's stdout. */
export type Envelope = z.infer<typeof envelopeSchema>;

/** The type and request id of an envelope that could not be read, as far as they are known. */
export function namesOf(value: unknown): { type?: string; request_id?: string } {
  const loose = envelopeSchema.safeParse(value);
  if (!loose.success) return {};
  const id = loose.data.payload?.request_id;
  return { type: loose.data.type, ...(typeof id === 'string' && id !== '' && { request_id: id }) };
}

const workdir = z.object({ path: text, worktree_id: text, generation: count });

/** Who speaks: the main agent's fields are empty (measured), a SubAgent's are set. */
const agentFields = { agent_id: text, task_id: text, agent_type: text, parent_agent_id: text };

/**
 * The payloads that we read, by envelope type. A reading has defaults for what is missing, and only what we read: what
 * is handed on to users is always the original, with all that we do not know.
 */
export const payloads = {
  ready: z.object({
    session_id: text,
    workdir: workdir.optional().catch(undefined),
    worktree: z
      .looseObject({ name: text, branch: text, path: text, repo_root: text })
      .optional()
      .catch(undefined),
    skipped_locked_sessions: texts,
  }),
  status_response: z.object({
    session_id: text,
    busy: flag,
    phase: text,
    phase_detail: text,
    pending_confirm: confirmRequest.nullish().catch(null),
    pending_question: questionRequest.nullish().catch(null),
    pending_questions: z.array(questionRequest).optional().catch(undefined),
    questions: z.array(questionRequest).optional().catch(undefined),
    question_binding_id: z.string().optional().catch(undefined),
    questions_next_after_id: text,
    pending_handoff: handoffRequest.nullish().catch(null),
    last_error: text,
    last_outcome: text,
    current_role: z.string().optional().catch(undefined),
    workdir: workdir.optional().catch(undefined),
    running_jobs: maybeCount,
    updated_at: text,
  }),
  models_response: z.object({ ok: flag, message: text, status: text }),
  role_response: z.object({
    ok: flag,
    message: text,
    role: text,
    roles: z.array(z.object({ name: text, current: flag })).catch([]),
  }),
  input_result: z.object({ request_id: text, status: text, turn_id: maybeCount, message: text }),
  question_receipt: z.object({
    operation_id: text,
    request_id: text,
    accepted: flag,
    status: text,
    version: count,
    error: text,
  }),
  local_shell_result: z.object({ command: text, output: text, failed: flag, error: text }),
  /** A runtime error always has the key `agent_id`, a command error never. */
  error: z.object({
    message: text,
    agent_id: z.string().optional().catch(undefined),
    code: z.string().optional().catch(undefined),
  }),
  activity: z.object({ agent_id: text, type: text, detail: text }),
  assistant_message: z.object({ ...agentFields, text, tool_calls: count }),
  idle: z.object({
    last_outcome: text,
    suppress_user_notification: flag,
    running_jobs: maybeCount,
  }),
  done_completion: z.object({
    call_id: text,
    report: text,
    reason: text,
    status: text,
    agent_id: text,
    mode: text,
  }),
  confirm_request: confirmRequest,
  confirm_resolved: z.object({ request_id: text, reason: text }),
  question_request: questionRequest,
  question_updated: questionRequest,
  question_resolved: questionRequest,
  handoff_request: handoffRequest,
  handoff_cancelled: z.object({ request_id: text, reason: text }),
  role_change: z.object({ role: text }),
  notification: z.object({ reason: text, message: text }),
  agent_started: z.object({
    ...agentFields,
    previous_agent_id: text,
    description: text,
    parent_task_id: text,
  }),
  agent_notify: z.object({ ...agentFields, kind: text, subtype: text, message: text }),
  agent_done: z.object({ ...agentFields, summary: text }),
  info: z.object({ agent_id: text, message: text }),
  toast: z.object({ agent_id: text, message: text, level: text }),
  todos: z.object({ todos: z.array(z.object({ content: text, status: text })).catch([]) }),
  compaction_status: z.object({ status: text, trigger: text, reason: text, plan_id: text }),
  session_switched: z.object({ session_id: text }),
  workdir_changed: workdir,
  background_result: z.object({
    session_id: text,
    target_agent_id: text,
    message_index: maybeCount,
    content: text,
  }),
  context_notice: z.object({ session_id: text, level: text, message: text }),
  image_result: z.object({
    call_id: text,
    agent_id: text,
    status: text,
    result: text,
    delivery_error: text,
  }),
  image_artifact: z.object({
    reference: text,
    call_id: text,
    request_id: text,
    agent_id: text,
    mime_type: text,
    width: count,
    height: count,
    size_bytes: count,
    offset: count,
    last: flag,
    data: text,
  }),
  /** Known by name only; their fields are not proved, so nothing but these is read. */
  mcp_status_changed: z.object({ message: text }),
  input_queue_changed: z.object({ message: text, view_version: anything }),
  session_transfer_preparing: z.object({ message: text }),
  session_transfer_status: z.object({ message: text }),
  session_transfer_saved: z.object({ message: text }),
  session_transfer_released: z.object({ message: text }),
};

/** An envelope type whose payload we read. */
export type KnownType = keyof typeof payloads;

/** The reading of one payload. */
export type PayloadOf<T extends KnownType> = z.infer<(typeof payloads)[T]>;

const knownTypes: ReadonlySet<string> = new Set(Object.keys(payloads));

/** True for an envelope type whose payload we read. */
export const isKnownType = (type: string): type is KnownType => knownTypes.has(type);

/** Reads the payload of an envelope of a known type. Never throws: odd fields read as empty. */
export function readPayload<T extends KnownType>(type: T, envelope: Envelope): PayloadOf<T> {
  return payloads[type].parse(envelope.payload ?? {}) as PayloadOf<T>;
}

/** An envelope narrowed to its reading, for a `switch` over `type`. */
export type Reading = { [T in KnownType]: { type: T; payload: PayloadOf<T> } }[KnownType];

/** An envelope as it goes through the session: read once, when it comes. */
export interface Received {
  envelope: Envelope;
  /** `undefined` for a type that we do not know, which passes through unread. */
  reading: Reading | undefined;
}

/** Reads an envelope that has come. */
export function readEnvelope(envelope: Envelope): Received {
  if (!isKnownType(envelope.type)) return { envelope, reading: undefined };
  const payload = readPayload(envelope.type, envelope);
  return { envelope, reading: { type: envelope.type, payload } as Reading };
}
