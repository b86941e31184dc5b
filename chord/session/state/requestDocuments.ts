import { nestsDeeper } from '../../protocol/depth';
import type { ConfirmPayload, HandoffPayload, QuestionPayload } from '../../protocol/requests';
import { callArguments, mainArgument } from '../text/callArguments';
import type { ConfirmDocument, HandoffDocument, QuestionDocument } from '../contract';
import { neutral } from '../text/neutral';

/** A time as it stands in documents, or `null` for none. */
const rfc3339 = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The last moment that a date can tell, in ms since 1970. */
const lastMoment = 8.64e15;

/** A time from now on; `null`, as for none, where it is beyond all dates. */
const moment = (ms: number): number | null => (Math.abs(ms) <= lastMoment ? ms : null);

/**
 * The tool's arguments; the raw text where Chord's `args_json` is no JSON, or nests so deep that nothing could handle
 * it, so that a person still sees it.
 */
function parseArguments(argsJson: string): unknown {
  try {
    const args = JSON.parse(argsJson) as unknown;
    return nestsDeeper(args) ? argsJson : args;
  } catch {
    return argsJson;
  }
}

/**
 * A confirm as it stands in items.
 *
 * @param arrivedAt ms since 1970: D1 and D2 do not tell when a request times out, so its limit counts from arrival
 */
export function confirmDocument(payload: ConfirmPayload, arrivedAt: number): ConfirmDocument {
  const expires = payload.timeout_ms > 0 ? moment(arrivedAt + payload.timeout_ms) : null;
  const args = parseArguments(payload.args_json);
  return {
    kind: 'confirm',
    id: payload.request_id,
    tool: payload.tool_name,
    subject: neutral.code(mainArgument(callArguments(payload.args_json))),
    arguments: args,
    input: args,
    asked_because: payload.needs_approval_rules,
    needs_approval: payload.needs_approval,
    ...((payload.done_report !== '' || payload.tool_name === 'done') && { report: payload.done_report }),
    expires_at: rfc3339(expires),
    on_expiry: expires === null ? 'none' : 'deny',
  };
}

/** When a question's answer comes too late: protocol A counts from arrival, B and C name a deadline. */
function questionExpiry(payload: QuestionPayload, arrivedAt: number): number | null {
  if (payload.deadline !== undefined) {
    const deadline = Date.parse(payload.deadline);
    // Go writes a time that is not set as the first day of the year 1.
    return deadline > 0 ? deadline : null;
  }
  return payload.timeout_ms !== undefined && payload.timeout_ms > 0
    ? moment(arrivedAt + payload.timeout_ms)
    : null;
}

/** A question of any protocol as it stands in items. */
export function questionDocument(payload: QuestionPayload, arrivedAt: number): QuestionDocument {
  const expires = questionExpiry(payload, arrivedAt);
  const options = payload.options.map((label, index) => ({
    id: payload.option_ids[index] ?? label,
    label,
    description: payload.option_details[index] ?? '',
  }));
  const byId = options.find((option) => option.id === payload.default_option_id)?.label;
  return {
    kind: 'question',
    id: payload.request_id,
    header: payload.header,
    question: payload.question,
    options,
    default_option: byId ?? payload.default_answer ?? '',
    multiple: payload.multiple,
    // Chord takes own words with or without options; without options they are the only way.
    allows_text: true,
    expires_at: rfc3339(expires),
    on_expiry: expires === null ? 'none' : byId !== undefined || payload.default_answer ? 'default' : 'none',
  };
}

/** A handoff as it stands in items. Handoffs do not expire. */
export function handoffDocument(payload: HandoffPayload): HandoffDocument {
  return {
    kind: 'handoff',
    id: payload.request_id,
    plan_path: payload.plan_path,
    plan: payload.plan_text,
    plan_error: payload.plan_error,
    agents: payload.agents.map((agent) => ({
      name: agent.name,
      default: agent.default,
      model_pools: agent.model_pools,
      current_model_pool: agent.current_model_pool,
    })),
    expires_at: null,
    on_expiry: 'none',
  };
}
