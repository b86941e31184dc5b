import type { AgentConfig } from '../config/agents';
import type { Rulebook } from '../config/rulebook';
import type { Message, ToolCall } from '../model/message';
import { ask } from '../model/request';
import { callTool, type Caller, type Tool } from '../tools/call';
import { commonTools } from '../tools/common';
import { FileTools, ToolFailure } from '../tools/files';
import { subAgentTools } from '../tools/toolbox';
import type { Runtime } from './runtime';
import { MAIN_ID, type Speaker } from './telling';
import { encode } from '../wire/json';

/** What SubAgents need of the agent that sent them. */
export interface Owner {
  rules: Rulebook;
  /** A note that the main agent has to read; it wakes it. */
  mail(text: string): void;
  /** Tokens were used. */
  spend(agent: AgentConfig, name: string, usage: { prompt?: number; completion?: number } | undefined): void;
  /** One of them has come to rest. */
  rested(): void;
}

interface SubAgent {
  speaker: Speaker;
  config: AgentConfig;
  messages: Message[];
  abort: AbortController;
}

/** What a SubAgent is told that answers without a tool call. */
const NUDGE =
  'Do not stop after plain text. Call complete if the task is done; else call escalate or notify with what is missing.';

const mailbox = (sub: SubAgent, kind: string, text: string) =>
  `<system-reminder>\nSubAgent mailbox update:\n- agent_id: ${sub.speaker.agent_id}\n- task_id: ${sub.speaker.task_id}\n` +
  `- kind: ${kind}\n- summary: ${text}\n</system-reminder>`;

/** The agents that the main agent delegates to. They run beside it, each with a conversation of its own. */
export class SubAgents {
  private readonly running = new Set<SubAgent>();
  /** The main agent is the first instance, so the first SubAgent is number 2 (measured). */
  private instances = 1;
  private tasks = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly owner: Owner,
  ) {}

  get active(): boolean {
    return this.running.size > 0;
  }

  /** Whether there is anyone to delegate to. */
  get any(): boolean {
    return [...this.runtime.place.agents.values()].some((agent) => agent.mode === 'subagent');
  }

  /** The `delegate` tool. */
  start(args: Record<string, unknown>): string {
    const { runtime } = this;
    const config = runtime.place.agents.get(String(args.agent_type ?? ''));
    if (config?.mode !== 'subagent')
      throw new ToolFailure(`unknown agent_type "${String(args.agent_type ?? '')}"`);
    const description = String(args.description ?? '');
    this.instances += 1;
    this.tasks += 1;
    const speaker: Speaker = {
      agent_id: `${config.name}-${this.instances}`,
      agent_type: config.name,
      task_id: `adhoc-${this.tasks}`,
      parent_agent_id: MAIN_ID,
    };
    const sub: SubAgent = {
      speaker,
      config,
      messages: [{ role: 'user', content: description }],
      abort: new AbortController(),
    };
    this.running.add(sub);
    runtime.out.push('agent_started', { ...speaker, description, parent_task_id: '', previous_agent_id: '' });
    void this.run(sub);
    return encode({
      status: 'started',
      task_id: speaker.task_id,
      agent_id: speaker.agent_id,
      message: 'running in background',
    });
  }

  /** A cancel ends them too. */
  stopAll(): void {
    for (const sub of this.running) sub.abort.abort();
    this.running.clear();
  }

  private async run(sub: SubAgent): Promise<void> {
    while (await this.round(sub));
    if (this.running.delete(sub)) this.owner.rested();
  }

  /** One request and its tool calls. Gives whether another one follows. */
  private async round(sub: SubAgent): Promise<boolean> {
    const { runtime } = this;
    const { speaker, config } = sub;
    const offered = subAgentTools(this.owner.rules.of(config.name));
    const answer = await ask(
      runtime.script,
      runtime.clock,
      {
        messages: [{ role: 'system', content: config.prompt }, ...sub.messages],
        tools: offered,
        toolChoice: 'required',
        signal: sub.abort.signal,
        provider: runtime.pools.providerOf(config),
        maxRounds: runtime.place.config.retryRounds,
      },
      {
        activity: (type, detail) => runtime.tell.activity(speaker.agent_id, type, detail),
        retried: (message) => runtime.tell.retried(message, speaker.agent_id),
        // Chord says a SubAgent's failure in other words (measured).
        rolledBack: () => undefined,
        emit: (type, payload) => runtime.out.push(type, payload),
      },
    );
    if (answer.end === 'stopped') return false;
    if (answer.end === 'failed') return this.fail(sub, answer.cause);
    this.owner.spend(config, speaker.agent_id, answer.usage);
    if (answer.end === 'malformed') return true;
    sub.messages.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
    runtime.tell.assistantMessage(speaker, answer.text, answer.toolCalls.length);
    if (answer.toolCalls.length === 0) {
      sub.messages.push({ role: 'user', content: NUDGE });
      return true;
    }
    return this.callAll(sub, answer.toolCalls, offered);
  }

  private async callAll(sub: SubAgent, calls: ToolCall[], offered: string[]): Promise<boolean> {
    const { runtime } = this;
    const last = calls.length === 1 && calls.every(({ name }) => name === 'complete' || name === 'escalate');
    if (!last) runtime.tell.activity(sub.speaker.agent_id, 'executing', `${calls.length} tools`);
    let summary: string | undefined;
    let stuck = false;
    const tools: Record<string, Tool> = {
      ...commonTools(runtime.place.project, new FileTools(runtime.place.project)),
      notify: (args) => this.notify(sub, String(args.kind ?? 'progress'), String(args.message ?? '')),
      escalate: (args) => {
        stuck = true;
        return this.escalate(sub, String(args.reason ?? args.message ?? ''));
      },
      complete: (args) => {
        summary = String(args.summary ?? '');
        return 'Completed';
      },
    };
    const caller: Caller = {
      agentId: sub.speaker.agent_id,
      role: sub.config.name,
      rules: this.owner.rules.of(sub.config.name),
      tools,
      offered,
      allow: (tool, pattern, scope) => this.owner.rules.allow(sub.config.name, tool, pattern, scope),
    };
    for (const call of calls) {
      const { text } = await callTool(runtime, caller, call, sub.abort.signal);
      sub.messages.push({ role: 'tool', content: text, toolCallId: call.id });
    }
    if (sub.abort.signal.aborted) return false;
    if (summary !== undefined) return this.complete(sub, summary);
    return !stuck;
  }

  private notify(sub: SubAgent, kind: string, message: string): string {
    this.runtime.out.push('agent_notify', {
      ...sub.speaker,
      parent_task_id: '',
      target_agent_id: MAIN_ID,
      target_task_id: '',
      kind,
      message,
    });
    // Progress alone does not wake the main agent (measured).
    if (kind !== 'progress') this.owner.mail(mailbox(sub, kind, message));
    return 'Owner coordination chain has been notified. Continue working.';
  }

  /** It needs help: the main agent is told, and this one rests. */
  private escalate(sub: SubAgent, reason: string): string {
    this.runtime.tell.toast(reason, 'warn', sub.speaker.agent_id);
    this.running.delete(sub);
    this.owner.mail(mailbox(sub, 'escalate', reason));
    return 'Escalated to the owner agent.';
  }

  private fail(sub: SubAgent, cause: string): false {
    const { tell } = this.runtime;
    const message = `SubAgent failed (llm): ${cause}`;
    this.running.delete(sub);
    this.notify(sub, 'risk_alert', message);
    tell.error(`SubAgent ${sub.speaker.agent_id} error: ${cause}`);
    tell.toast(message, 'error', sub.speaker.agent_id);
    return false;
  }

  private complete(sub: SubAgent, summary: string): false {
    this.runtime.out.push('agent_done', { ...sub.speaker, parent_task_id: '', summary });
    this.running.delete(sub);
    this.owner.mail(mailbox(sub, 'completed', summary));
    return false;
  }
}
