import { createHash } from 'node:crypto';
import { providerOf } from '../model/ModelPools';

/** Tokens and cost, as they stand in `usage-summary.json`. */
interface Total {
  llm_calls: number;
  input_tokens: number;
  output_tokens: number;
  provider_total_tokens: number;
  billing_total_tokens: number;
  total_cost: number;
}

/** One model request that was answered. */
export interface UsageEvent {
  modelRef: string;
  agent: string;
  inputTokens: number;
  outputTokens: number;
}

const empty = (): Total => ({
  llm_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  provider_total_tokens: 0,
  billing_total_tokens: 0,
  total_cost: 0,
});

function add(total: Total, event: UsageEvent): void {
  total.llm_calls += 1;
  total.input_tokens += event.inputTokens;
  total.output_tokens += event.outputTokens;
  total.provider_total_tokens += event.inputTokens + event.outputTokens;
  total.billing_total_tokens += event.inputTokens + event.outputTokens;
}

const addTo = (map: Record<string, Total>, key: string, event: UsageEvent) =>
  add((map[key] ??= empty()), event);

/** The content of `usage-summary.json` of one session. */
export interface UsageSummary {
  session_id: string;
  project_id: string;
  project_path: string;
  created_at: string;
  last_updated_at: string;
  event_count: number;
  first_user_message: string;
  original_first_user_message: string;
  status: string;
  usage_total: Total;
  by_provider: Record<string, Total>;
  by_model_ref: Record<string, Total>;
  by_agent: Record<string, Total>;
}

const projectId = (path: string) => createHash('sha1').update(path).digest('hex').slice(0, 16);

/** A person's first message as lists show it: one line, at most 80 characters. */
function shortened(text: string): string {
  const line = text.replace(/\n.*$/s, '').trim();
  return line === text.trim() && line.length <= 80 ? line : `${line.slice(0, 80)}…`;
}

/** Go's zero time: nothing was used yet (measured). */
const NEVER = '0001-01-01T00:00:00Z';

/** The summary that a session without any answered request has when it is left. */
export function unused(session: { id: string; project: string; firstUserMessage: string }): object {
  const first = shortened(session.firstUserMessage);
  return {
    session_id: session.id,
    ...(first ? { project_id: projectId(session.project), project_path: session.project } : {}),
    created_at: NEVER,
    last_updated_at: NEVER,
    ...(first ? { first_user_message: first, original_first_user_message: first } : {}),
    status: 'active',
    usage_total: { llm_calls: 0, input_tokens: 0, output_tokens: 0, total_cost: 0 },
  };
}

/** Adds one model request to the summary of its session; makes the summary at the first. */
export function withUsage(
  summary: UsageSummary | undefined,
  session: { id: string; project: string; firstUserMessage: string },
  event: UsageEvent,
  now: Date,
): UsageSummary {
  const at = now.toISOString();
  const next = summary ?? {
    session_id: session.id,
    project_id: projectId(session.project),
    project_path: session.project,
    created_at: at,
    last_updated_at: at,
    event_count: 0,
    first_user_message: shortened(session.firstUserMessage),
    original_first_user_message: shortened(session.firstUserMessage),
    status: 'active',
    usage_total: empty(),
    by_provider: {},
    by_model_ref: {},
    by_agent: {},
  };
  next.last_updated_at = at;
  next.event_count += 1;
  add(next.usage_total, event);
  addTo(next.by_provider, providerOf(event.modelRef), event);
  addTo(next.by_model_ref, event.modelRef, event);
  addTo(next.by_agent, event.agent, event);
  return next;
}
