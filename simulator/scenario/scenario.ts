/** A condition on one text: a part of it, a pattern, or a combination of conditions. `null` means absent or empty. */
export type Condition =
  | string
  | number
  | boolean
  | null
  | Condition[]
  | { re: string; flags?: string }
  | { equals: unknown }
  | { not: Condition }
  | { any_of: Condition[] };

/** Tokens that a reply is said to have used. */
export interface Usage {
  prompt?: number;
  completion?: number;
  cached?: number;
}

/** Text, also as a list of fragments or as a repetition, to keep scenario files small. */
export type Text = string | Text[] | { repeat: string; count: number };

/** What the model answers. The keys are those of the scripted model server of the lab (test/chord/lab/mockllm.mjs). */
export interface Reply {
  text?: Text;
  reasoning?: Text;
  tool_calls?: { id?: string; name: string; args?: unknown; args_raw?: string }[];
  finish?: string | null;
  usage?: Usage | false;
  delay_ms?: number;
  first_delay_ms?: number;
  chunk_chars?: number;
  chunk_delay_ms?: number;
  status?: number;
  error?: { message?: string; type?: string; code?: string };
  headers?: Record<string, string>;
  sse_error?: { message?: string; type?: string; code?: string };
  drop?: 'before_headers' | 'after_headers' | { after_chunks: number };
  hang?: boolean;
  /** Only here, not in the model server: raw envelopes that are pushed before the reply, for events with no cause of their own. */
  emit?: { type: string; payload?: Record<string, unknown> }[];
}

/** One scripted answer and when it is given. */
export interface Step {
  id?: string;
  when?: Record<string, unknown>;
  times?: number | 'any';
  reply: Reply;
}

/** A whole scenario file. */
export interface Scenario {
  name: string;
  description?: string;
  defaults?: Pick<Reply, 'chunk_chars' | 'chunk_delay_ms' | 'first_delay_ms'> & { usage?: Usage };
  ordered?: boolean;
  on_unmatched?: Reply;
  steps: Step[];
}

/** Joins the three spellings of a text. */
export function textOf(text: Text | undefined): string {
  if (text === undefined) return '';
  if (typeof text === 'string') return text;
  if (Array.isArray(text)) return text.map(textOf).join('');
  return text.repeat.repeat(text.count);
}
