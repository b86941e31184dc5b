import { z } from 'zod/v4';

/**
 * The commands that we write, one JSON object a line on Chord's stdin. Strict: a field that is not in the protocol
 * is a fault of ours and is caught before it is written. `subscribe` is missing on purpose: it is an allow-list and
 * would shut out events that we do not know yet.
 */

const status = z.strictObject({
  type: z.literal('status'),
  /** Question protocol C: ids whose end must be reported, at most 32. */
  question_ids: z.array(z.string().min(1)).max(32).optional(),
  questions_after_id: z.string().min(1).optional(),
  /** Only together with `questions_after_id`. */
  binding_id: z.string().min(1).optional(),
});

const send = z.strictObject({
  type: z.literal('send'),
  content: z.string().min(1),
  /** Where Chord gives receipts, `input_result` carries it back. Always sent. */
  request_id: z.string().min(1),
});

const models = z.strictObject({
  type: z.literal('models'),
  action: z.enum(['status', 'set_current_model_pool']),
  pool: z.string().min(1).optional(),
});

const role = z.strictObject({
  type: z.literal('role'),
  action: z.enum(['list', 'set']),
  role: z.string().min(1).optional(),
});

/** How long a permission rule lasts that is installed with an approval. The last two are written to files. */
export const ruleScopes = ['session', 'project', 'user_global'] as const;

const confirm = z.strictObject({
  type: z.literal('confirm'),
  request_id: z.string().min(1),
  /** Only `allow` approves (measured): Chord takes every other word as a denial, so these two are all we have. */
  action: z.enum(['allow', 'deny']),
  final_args_json: z.string().optional(),
  edit_summary: z.string().optional(),
  deny_reason: z.string().optional(),
  rule_pattern: z.string().min(1).optional(),
  rule_scope: z.enum(ruleScopes).optional(),
});

/** One line that question protocols A and B both read right. */
const questionByLabel = z.strictObject({
  type: z.literal('question'),
  request_id: z.string().min(1),
  answers: z.array(z.string()),
  /** Read by B. */
  reason: z.enum(['answered', 'declined']),
  /** Read by A, where `reason` alone would be an empty answer. */
  cancelled: z.boolean(),
});

/** Protocol C. `version` and `binding_id` are left out: a retry after a restart must be identical. */
const questionById = z.strictObject({
  type: z.literal('question'),
  action: z.enum(['answer', 'decline']),
  operation_id: z.string().min(1),
  request_id: z.string().min(1),
  answers: z.array(z.string()).optional(),
  custom: z.literal(true).optional(),
});

const handoff = z.strictObject({
  type: z.literal('handoff'),
  /** Never empty: Chord would take whatever is open. */
  request_id: z.string().min(1),
  /** Never empty: Chord would approve. */
  action: z.enum(['accept', 'deny', 'cancel']),
  deny_reason: z.string().optional(),
  agent: z.string().min(1).optional(),
  pool: z.string().min(1).optional(),
});

const localShell = z.strictObject({ type: z.literal('local_shell'), command: z.string().min(1) });

const cancel = z.strictObject({ type: z.literal('cancel') });

const imageArtifact = z.strictObject({
  type: z.literal('image_artifact'),
  request_id: z.string().min(1),
  content: z.string().regex(/^artifact:images\//),
});

/** Any command that we write. */
export const commandSchema = z.union([
  status,
  send,
  models,
  role,
  confirm,
  questionByLabel,
  questionById,
  handoff,
  localShell,
  cancel,
  imageArtifact,
]);

/** A command, typed from its schema. */
export type Command = z.infer<typeof commandSchema>;

/** How long a rule lasts. */
export type RuleScope = (typeof ruleScopes)[number];

/** Bytes that a command line may have, its newline included: Chord throws longer ones away. */
export const maximumLineBytes = 1_048_576;

/**
 * Turns a command into its line, newline included.
 *
 * @throws ZodError when the command is not one of ours: a fault of this package, never of the user.
 */
export function encodeCommand(command: Command): string {
  return `${JSON.stringify(commandSchema.parse(command))}\n`;
}
