import type { Clock } from '../../clock';
import { isMainAgent } from '../../protocol/agents';
import type { PayloadOf, Reading } from '../../protocol/envelopes';
import type { AgentDocument, RequestKind, TurnDocument, TurnRequest } from '../contract';
import type { UsageBase } from './UsageMeter';

/** Who speaks, as it stands in items. The main agent has several names on the wire and none here. */
export function agentDocument(from: {
  agent_id: string;
  agent_type?: string;
  task_id?: string;
}): AgentDocument {
  const isMain = isMainAgent(from.agent_id);
  return {
    id: isMain ? '' : from.agent_id,
    type: isMain ? '' : (from.agent_type ?? ''),
    task_id: isMain ? '' : (from.task_id ?? ''),
    is_main: isMain,
  };
}

/** Whether an envelope shows that the agent works. Checkpoints and local commands are no work. */
export function isWork(reading: Reading): boolean {
  switch (reading.type) {
    case 'activity':
      return reading.payload.type !== 'compacting' && reading.payload.type !== 'waiting_input';
    case 'assistant_message':
    case 'done_completion':
    case 'confirm_request':
    case 'question_request':
    case 'agent_started':
    case 'agent_notify':
    case 'agent_done':
    case 'todos':
      return true;
    case 'input_result':
      return reading.payload.status === 'started';
    default:
      return false;
  }
}

/** A copy of what has no depth: `structuredClone` would write out megabytes of text (measured: 1 ms a turn). */
const copy = <Item extends object>(item: Item): Item => ({ ...item });

/** How a turn ended. */
export type TurnEnd = 'completed' | 'cancelled' | 'failed';

/**
 * Gathers one turn, from the first observed work to the global `idle`. A decision, a handoff or a cancel does not
 * begin a new one.
 */
export class Turn {
  /** When its first work was seen, ms since 1970. */
  readonly startedAt: number;

  private readonly messages: TurnDocument['messages'] = [];

  private readonly reports: TurnDocument['reports'] = [];

  private readonly subagents: TurnDocument['subagents'] = [];

  private readonly backgroundResults: string[] = [];

  private readonly images: TurnDocument['images'] = [];

  private readonly errors: string[] = [];

  private readonly warnings: string[] = [];

  private readonly requests = new Map<string, TurnRequest>();

  private readonly toolCalls = { main: 0, subagents: 0 };

  private retries = 0;

  /** What came last decides on builds that call every retried turn an error (measured on D1). */
  private lastWord: 'work' | 'error' | 'reply' = 'work';

  private cancelWritten = false;

  private deniedReport: { reason: string } | null = null;

  constructor(
    private readonly clock: Clock,
    /** The session's totals when the turn began. */
    readonly usageBase: UsageBase,
  ) {
    this.startedAt = clock.now();
  }

  /** Takes in one envelope. */
  accept(reading: Reading): void {
    switch (reading.type) {
      case 'activity':
        if (reading.payload.type.startsWith('retrying')) this.retries += 1;
        return;
      case 'assistant_message':
        this.message(reading.payload);
        return;
      case 'done_completion':
        this.report(reading.payload);
        return;
      case 'agent_done':
        this.subagents.push({ agent: agentDocument(reading.payload), summary: reading.payload.summary });
        return;
      case 'background_result':
        this.backgroundResults.push(reading.payload.content);
        return;
      case 'error':
        // A command error belongs to a command, never to the turn.
        if (reading.payload.agent_id === undefined) return;
        this.errors.push(reading.payload.message);
        this.lastWord = 'error';
        return;
      default:
    }
  }

  private message(payload: PayloadOf<'assistant_message'>): void {
    const agent = agentDocument(payload);
    this.toolCalls[agent.is_main ? 'main' : 'subagents'] += payload.tool_calls;
    // An empty text comes with every pure tool call.
    if (payload.text.trim() !== '') this.messages.push({ agent, text: payload.text });
    if (agent.is_main) this.lastWord = payload.tool_calls === 0 && payload.text !== '' ? 'reply' : 'work';
  }

  private report(payload: PayloadOf<'done_completion'>): void {
    const denied = this.deniedReport;
    this.deniedReport = null;
    this.reports.push({
      text: payload.report,
      accepted: denied === null,
      reason: denied?.reason ?? payload.reason,
      status: payload.status,
    });
    this.lastWord = denied === null ? 'reply' : 'work';
  }

  /** A report that was denied is told by Chord all the same, right afterwards (measured). `null` takes it back. */
  noteDeniedReport(reason: string | null): void {
    this.deniedReport = reason === null ? null : { reason };
  }

  /** A `cancel` was written while this turn ran. */
  noteCancel(): void {
    this.cancelWritten = true;
  }

  /** A request came up in this turn. */
  noteRequest(id: string, kind: RequestKind): void {
    if (!this.requests.has(id)) this.requests.set(id, { id, kind, handed_to: '' });
  }

  /** Somebody has the request. */
  noteHanded(id: string, to: TurnRequest['handed_to']): void {
    const request = this.requests.get(id);
    if (request) request.handed_to = to;
  }

  /** Whether a node's output carries the request already: then it is not handed out again. */
  isHandedOut(id: string): boolean {
    return this.requests.get(id)?.handed_to === 'output';
  }

  /** An image is whole. */
  noteImage(image: TurnDocument['images'][number]): void {
    this.images.push(image);
  }

  /** Something that a person should know of the turn, though nothing failed. */
  noteWarning(text: string): void {
    this.warnings.push(text);
  }

  /**
   * How the turn ended.
   *
   * @param lastOutcome Chord's own word
   * @param silentRetries whether this Chord calls a turn that recovered `completed`; older ones say `error` after
   *   every retry, so there the last word decides
   */
  end(lastOutcome: string, silentRetries: boolean): TurnEnd {
    if (lastOutcome === 'cancelled') {
      // A cancel that was written while nothing ran spoils the next turn's outcome (measured).
      return this.cancelWritten || this.lastWord !== 'reply' ? 'cancelled' : 'completed';
    }
    // Chord sets the outcome after it cancelled, so a cancelled turn may say `completed` (measured).
    if (this.cancelWritten && this.lastWord === 'work') return 'cancelled';
    if (lastOutcome !== 'error') return 'completed';
    // A slash command that was refused spoils the next turn's outcome, too (measured); a real failure has its error.
    const failed = silentRetries && this.errors.length > 0;
    return failed || this.lastWord !== 'reply' ? 'failed' : 'completed';
  }

  /** The last error, for a failed turn. */
  get lastError(): string {
    return this.errors.at(-1) ?? '';
  }

  /** The last non-empty message of the main agent, else the accepted report. */
  get text(): string {
    const message = this.messages.findLast((item) => item.agent.is_main);
    return message?.text ?? this.reports.findLast((report) => report.accepted)?.text ?? '';
  }

  /** The turn as it stands in items, as of now: a copy, since what it gathers may go on to grow. */
  document(lastOutcome: string, runningJobs: number | null, end: TurnEnd): TurnDocument {
    const endedAt = this.clock.now();
    return {
      messages: this.messages.map(({ agent, text }) => ({ agent: { ...agent }, text })),
      reports: this.reports.map(copy),
      subagents: this.subagents.map(({ agent, summary }) => ({ agent: { ...agent }, summary })),
      background_results: [...this.backgroundResults],
      images: this.images.map(copy),
      // Errors of a turn that went well in the end are what was retried.
      warnings: end === 'failed' ? [...this.warnings] : [...this.errors, ...this.warnings],
      errors: end === 'failed' ? [...this.errors] : [],
      requests: [...this.requests.values()].map(copy),
      last_outcome: lastOutcome,
      tool_calls: { ...this.toolCalls },
      retries: this.retries,
      running_jobs: runningJobs,
      started_at: new Date(this.startedAt).toISOString(),
      ended_at: new Date(endedAt).toISOString(),
      duration_ms: endedAt - this.startedAt,
    };
  }
}
