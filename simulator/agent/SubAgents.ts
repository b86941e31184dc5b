import type { AgentConfig } from '../config/agents';
import type { Rulebook } from '../config/Rulebook';
import type { Message, ToolCall } from '../model/message';
import { ask } from '../model/request';
import { callTool, type Caller, type Tool } from '../tools/call';
import { commonTools } from '../tools/common';
import { FileTools, ToolFailure } from '../tools/FileTools';
import { subAgentTools } from '../tools/toolbox';
import type { Runtime } from './runtime';
import { SubAgentReports } from './SubAgentReports';
import { MAIN_ID, type Speaker } from './Telling';
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

/** What a SubAgent is told that answers without a tool call. Not measured: only the model sees it. */
const NUDGE =
  'Do not stop after plain text. Call complete if the task is done; else call escalate or notify with what is missing.';

/** The agents that the main agent delegates to. They run beside it, each with a conversation of its own. */
export class SubAgents {
  private readonly running = new Set<SubAgent>();
  /** The main agent is the first instance, so the first SubAgent is number 2 (measured). */
  private instances = 1;
  private tasks = 0;
  private readonly reports: SubAgentReports;

  constructor(
    private readonly runtime: Runtime,
    private readonly owner: Owner,
  ) {
    this.reports = new SubAgentReports(runtime, (text) => owner.mail(text));
  }

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

  /** A cancel ends them too. Not measured: that the `cancel` tool ends all of them, whatever its arguments name. */
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
    if (answer.end === 'failed') {
      this.running.delete(sub);
      this.reports.failed(speaker, answer.cause);
      return false;
    }
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
      notify: (args) =>
        this.reports.notify(sub.speaker, String(args.kind ?? 'progress'), String(args.message ?? '')),
      escalate: (args) => {
        stuck = true;
        this.running.delete(sub);
        return this.reports.escalated(sub.speaker, String(args.reason ?? args.message ?? ''));
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
    if (summary === undefined) return !stuck;
    this.running.delete(sub);
    this.reports.done(sub.speaker, summary);
    return false;
  }
}
