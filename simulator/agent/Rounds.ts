import type { AgentConfig } from '../config/agents';
import type { ToolCall } from '../model/message';
import { ask, type Answer } from '../model/request';
import type { Usage } from '../scenario/scenario';
import { callTool } from '../tools/call';
import { mainTools } from '../tools/toolbox';
import type { Acting } from './acting';
import { mainToolTable, type AfterBatch } from './mainTools';
import type { Runtime } from './runtime';
import { MAIN, MAIN_ID, MAIN_INSTANCE } from './Telling';

/** The rounds of the main agent: a request to the model and the calls that it asks for. */
export class Rounds {
  constructor(
    private readonly runtime: Runtime,
    private readonly agent: Acting,
  ) {}

  /** Plays one round. Gives whether another one follows in this turn. */
  async play(signal: AbortSignal): Promise<boolean> {
    const { runtime, agent } = this;
    const { conversation } = agent;
    const offered = mainTools(
      agent.rules.of(agent.role.name),
      runtime.profile,
      agent.loop.enabled,
      agent.subAgents.any,
    );
    const answer = await this.request(offered, signal);
    if (answer.end === 'stopped') {
      // Text that had come by then stays in the conversation, but no message tells it (measured).
      if (answer.text) conversation.append({ role: 'assistant', content: answer.text });
      return false;
    }
    if (answer.end === 'failed') {
      runtime.tell.error(answer.message);
      return false;
    }
    if (answer.end === 'malformed') {
      this.spend(agent.role, MAIN_ID, answer.usage);
      return true;
    }
    const { text, toolCalls } = answer;
    conversation.append({ role: 'assistant', content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) });
    this.spend(agent.role, MAIN_ID, answer.usage);
    runtime.tell.assistantMessage(MAIN, text, toolCalls.length);
    if (answer.cutOff) {
      runtime.tell.toast('Response hit the output limit; the reply above is incomplete', 'warn');
    }
    if (toolCalls.length > 0) return this.callAll(toolCalls, offered, signal);
    if (!agent.loop.enabled) return false;
    runtime.tell.activity(MAIN_ID, 'executing', 'loop');
    conversation.append({ role: 'user', content: agent.loop.continuation() });
    agent.turns.takeQueued();
    return true;
  }

  /** Counts tokens, of a SubAgent too, in the session of the main agent. */
  spend(agent: AgentConfig, name: string, usage: Usage | undefined): void {
    const { runtime } = this;
    const event = {
      modelRef: runtime.pools.modelOf(agent),
      agent: name,
      inputTokens: usage?.prompt ?? 0,
      outputTokens: usage?.completion ?? 0,
    };
    this.agent.conversation.session.spend(event, runtime.clock.now());
  }

  private request(offered: string[], signal: AbortSignal): Promise<Answer> {
    const { runtime, agent } = this;
    return ask(
      runtime.script,
      runtime.clock,
      {
        messages: agent.conversation.forModel(agent.role.name, runtime.clock.now()),
        tools: offered,
        toolChoice: agent.loop.enabled ? 'required' : '',
        signal,
        provider: runtime.pools.providerOf(agent.role),
        maxRounds: runtime.place.config.retryRounds,
      },
      {
        activity: (type, detail) => runtime.tell.activity(MAIN_ID, type, detail),
        retried: (message) => runtime.tell.retried(message, MAIN_INSTANCE),
        rolledBack: (reason) => runtime.out.push('assistant_rollback', { agent_id: '', reason }),
        emit: (type, payload) => runtime.out.push(type, payload),
      },
    );
  }

  private async callAll(calls: ToolCall[], offered: string[], signal: AbortSignal): Promise<boolean> {
    const { runtime, agent } = this;
    const role = agent.role.name;
    runtime.tell.activity(MAIN_ID, 'executing', `${calls.length} tools`);
    const after: AfterBatch = {};
    const caller = {
      agentId: '',
      role,
      rules: agent.rules.of(role),
      tools: mainToolTable(runtime, agent, after),
      offered,
      allow: (tool: string, pattern: string, scope: string) => this.allow(tool, pattern, scope),
    };
    for (const call of calls) {
      caller.rules = agent.rules.of(role);
      const { text } = await callTool(runtime, caller, call, signal);
      // A handoff or `done` gets its result when it is decided.
      if (after.deferred !== call.id)
        agent.conversation.append({ role: 'tool', content: text, toolCallId: call.id });
    }
    if (signal.aborted) return false;
    if (after.next && !(await after.next(signal))) return false;
    agent.turns.takeQueued();
    return true;
  }

  private allow(tool: string, pattern: string, scope: string): void {
    const { runtime, agent } = this;
    const file = agent.rules.allow(agent.role.name, tool, pattern, scope);
    const where = file ? `${scope.replace('_', '-')} — ${file}` : scope;
    runtime.tell.toast(`Rule added: ${tool} allow "${pattern}" · ${where} — /rules to undo`);
  }
}
