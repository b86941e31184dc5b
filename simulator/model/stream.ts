import { sleep, type Clock } from '../clock';
import { textOf, type Reply, type Scenario, type Usage } from '../scenario/scenario';
import { decode, isRecord } from '../wire/json';
import type { ToolCall } from './message';

/** What one attempt to reach the model gave. */
export type Attempt =
  /** `cutOff`: the model reached its limit of output. */
  | { end: 'answer'; text: string; toolCalls: ToolCall[]; usage: Usage | undefined; cutOff: boolean }
  | { end: 'malformed'; usage: Usage | undefined }
  | { end: 'empty'; message: string }
  | { end: 'stopped'; text: string }
  | { end: 'refused'; status: number; message: string; invalid: boolean; retryAfter: number }
  | { end: 'cut'; message: string; visible: boolean };

/** What is told while an attempt runs. */
export interface AttemptEvents {
  /** Response headers are there. */
  headers(): void;
  /** The body begins. */
  body(): void;
  /** The first piece of the answer. */
  token(): void;
}

const DEFAULT_CHUNK = 32;

/** Tokens that an answer is said to have used, as the model server of the lab says it. */
const USUAL: Usage = { prompt: 1200, completion: 40, cached: 0 };

function pieces(text: string, size: number): string[] {
  const characters = Array.from(text);
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += size) result.push(characters.slice(at, at + size).join(''));
  return result;
}

/** Tools that cannot be called without arguments. */
const NEEDY = new Set(
  'shell spawn write edit read delete question handoff done todo_write delegate complete'.split(' '),
);

/** Arguments that are no JSON object, or none where some are required. */
function isMalformed(call: ToolCall): boolean {
  const args = decode(call.arguments);
  return !isRecord(args) || (NEEDY.has(call.name) && Object.keys(args).length === 0);
}

/** The pieces a reply is streamed in: reasoning, text, then each call's head and arguments. */
function* chunksOf(
  reply: Reply,
  calls: ToolCall[],
  size: number,
): Generator<{ text?: string; call?: number }> {
  for (const _ of pieces(textOf(reply.reasoning), size)) yield {};
  for (const text of pieces(textOf(reply.text), size)) yield { text };
  for (const [call, { arguments: args }] of calls.entries()) {
    yield { call };
    for (const _ of pieces(args, size)) yield { call };
  }
}

/**
 * Plays one scripted answer as the model server of the lab would send it.
 *
 * A connection that is cut after text and before any tool call counts as an answer, as in Chord (measured).
 */
export async function attempt(
  reply: Reply,
  request: { nth: number; defaults: Scenario['defaults']; url: string; signal: AbortSignal; clock: Clock },
  events: AttemptEvents,
): Promise<Attempt> {
  const { clock, signal, defaults } = request;
  const pause = (milliseconds: number) => sleep(clock, milliseconds, signal);
  if (!(await pause(reply.delay_ms ?? 0))) return { end: 'stopped', text: '' };
  if (reply.drop === 'before_headers') {
    return { end: 'cut', message: `send request: Post "${request.url}": EOF`, visible: false };
  }
  events.headers();
  if (reply.status && reply.status >= 400) {
    return {
      end: 'refused',
      status: reply.status,
      message: `API error ${reply.status}: ${reply.error?.message ?? `mock status ${reply.status}`}`,
      invalid: reply.status === 400 && reply.error?.type === 'invalid_request_error',
      retryAfter: Number(reply.headers?.['retry-after'] ?? 0),
    };
  }
  const eof = 'reading SSE stream: unexpected EOF';
  if (reply.drop === 'after_headers') return { end: 'cut', message: eof, visible: false };
  if (!(await pause(reply.first_delay_ms ?? defaults?.first_delay_ms ?? 0)))
    return { end: 'stopped', text: '' };
  events.body();
  if (reply.hang) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    return { end: 'stopped', text: '' };
  }
  const calls = (reply.tool_calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${request.nth}_${index}`,
    name: call.name,
    arguments: call.args_raw ?? JSON.stringify(call.args ?? {}),
  }));
  const gap = reply.chunk_delay_ms ?? defaults?.chunk_delay_ms ?? 0;
  const cutAfter = typeof reply.drop === 'object' ? reply.drop.after_chunks : Infinity;
  let sent = 0;
  let text = '';
  let called = false;
  const cut = (): Attempt =>
    text && !called
      ? { end: 'answer', text, toolCalls: [], usage: undefined, cutOff: false }
      : { end: 'cut', message: eof, visible: sent > 0 };
  for (const chunk of chunksOf(reply, calls, reply.chunk_chars ?? defaults?.chunk_chars ?? DEFAULT_CHUNK)) {
    if (sent >= cutAfter) return cut();
    if (sent === 0) events.token();
    text += chunk.text ?? '';
    called ||= chunk.call !== undefined;
    sent += 1;
    if (gap > 0 && !(await pause(gap))) return { end: 'stopped', text };
  }
  if (signal.aborted) return { end: 'stopped', text };
  if (cutAfter !== Infinity) return cut();
  if (reply.sse_error) {
    const message = `API sse_event error: ${reply.sse_error.message ?? 'mock stream error'}`;
    return { end: 'cut', message, visible: sent > 0 };
  }
  const finish = reply.finish ?? 'stop';
  if (sent === 0)
    return {
      end: 'empty',
      message: `model returned empty response (stop_reason=${finish} with no content or tool calls)`,
    };
  const usage = reply.usage === false ? undefined : { ...USUAL, ...defaults?.usage, ...reply.usage };
  // Such a call spoils the whole answer: it is asked for again, without a word (measured).
  if (calls.some(isMalformed)) return { end: 'malformed', usage };
  const cutOff = finish === 'length';
  return { end: 'answer', text, toolCalls: cutOff ? [] : calls, usage, cutOff };
}
