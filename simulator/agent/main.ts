import { sleep } from '../clock';
import type { AgentConfig } from '../config/agents';
import { Rulebook } from '../config/rulebook';
import type { Memory, Session } from '../disk/session';
import { ask } from '../model/request';
import type { ToolCall } from '../model/message';
import type { HandoffDecision } from '../requests/handoffs';
import { callTool } from '../tools/call';
import { mainTools } from '../tools/toolbox';
import { join } from 'node:path';
import { Conversation } from './conversation';
import { receipt, type Input } from './inputs';
import { Jobs } from './jobs';
import { Loop } from './loop';
import { mainToolTable, type AfterBatch } from './mainTools';
import type { Runtime } from './runtime';
import { SubAgents } from './subAgents';
import { MAIN, MAIN_ID, MAIN_INSTANCE } from './telling';

interface Turn {
  id: number;
  abort: AbortController;
  /** Inputs whose receipt says whether this turn began. */
  inputs: Input[];
}

/** Slash commands that wait until the agent is idle, when they come while it works. */
const IDLE_ONLY = /^\/(new|loop|mcp|resume)(\s|$)/;

/** An input that no person wrote. */
const ofItself = (content: string): Input => ({ content, requestId: '', fromUser: false });

/** The main agent: its conversation, its turns, and when everything is quiet. */
export class MainAgent {
  readonly conversation: Conversation;
  readonly rules: Rulebook;
  readonly loop = new Loop();
  readonly jobs: Jobs;
  readonly subAgents: SubAgents;
  role: AgentConfig;
  /** Entries of the todo list that are not settled: they keep a loop going. */
  openTodos = 0;
  /** An `idle` was told and nothing has happened since. False at the start: the first quiet moment tells one. */
  private quiet = false;
  /** An agent ran since the last `idle`. */
  private worked = false;
  private suppressNext = false;
  private turn: Turn | undefined;
  private turns = 0;
  private queue: Input[] = [];
  /** Notes of jobs and SubAgents that a cancel overtook: they wait for the next message. */
  private readonly held: Input[] = [];
  /** A `cancel` parks the queue: the next input is said to be queued, though it runs at once. */
  private parked = false;
  private owedByJobs = 0;
  /** Runs a slash command when its time has come. Gives whether it was one. */
  onCommand: (text: string) => boolean = () => false;

  constructor(
    private readonly runtime: Runtime,
    session: Session,
    memory: Memory | undefined,
  ) {
    const { place } = runtime;
    this.conversation = new Conversation(session, place.project);
    this.conversation.messages = memory?.messages ?? [];
    this.role = this.roleIn(memory);
    this.rules = new Rulebook(
      { project: join(place.project, '.chord'), user_global: place.configHome },
      place.agents,
    );
    this.jobs = new Jobs(place.project, runtime.clock, ({ id, failed, note }) =>
      this.jobEnded(id, failed, note),
    );
    this.subAgents = new SubAgents(runtime, {
      rules: this.rules,
      mail: (content) => this.wake(ofItself(content)),
      spend: (agent, name, usage) => this.spend(agent, name, usage),
      rested: () => this.settle(),
    });
  }

  get busy(): boolean {
    return this.turn !== undefined;
  }

  /** The number of the running turn, 0 without one. */
  get turnId(): number {
    return this.turn?.id ?? 0;
  }

  /** Background jobs that still owe the agent a note. */
  get runningJobs(): number {
    return this.jobs.running + this.owedByJobs;
  }

  /** A plain message of a person. */
  send(input: Input): void {
    if (this.turn) {
      this.queue.push(input);
      receipt(this.runtime, input, 'queued');
      return;
    }
    if (this.parked) receipt(this.runtime, input, 'queued');
    const kept = this.runtime.questions.unpause().map(ofItself);
    this.begin([...this.held.splice(0), ...kept, input], this.parked ? [] : [input]);
  }

  /** Goes on from the conversation as it stands. */
  resume(): void {
    this.begin([], []);
  }

  /** Begins a turn on a text that no person typed as such. */
  work(content: string): void {
    this.begin([ofItself(content)], []);
  }

  /** Ends the running turn. Gives whether there was one; without one nothing is told. */
  cancel(): boolean {
    this.parked = true;
    this.runtime.questions.pause();
    const running = this.turn !== undefined || this.subAgents.active;
    this.turn?.abort.abort();
    this.subAgents.stopAll();
    if (running && !this.turn) this.settle();
    return running;
  }

  /** Something made the agent leave its rest without a turn: the next quiet moment tells an `idle`. */
  stir(): void {
    this.quiet = false;
  }

  /** The next `idle` is no finished task. */
  suppressIdle(): void {
    this.suppressNext = true;
  }

  /** Tells `idle` once everything is quiet: no turn, no SubAgent, nothing queued, and (with `seq`) no open handoff. */
  settle(): void {
    const { runtime } = this;
    const held = runtime.profile.seq && runtime.handoffs.open;
    if (this.turn || this.subAgents.active || this.queue.length > 0 || held) {
      this.quiet = false;
      return;
    }
    const suppress = (runtime.profile.seq || this.suppressNext) && !this.worked;
    this.suppressNext = false;
    if (this.quiet) return;
    this.quiet = true;
    this.worked = false;
    const outcome = runtime.status.idle();
    runtime.confirms.clear();
    runtime.questions.clear();
    runtime.out.push('idle', {
      last_outcome: outcome,
      suppress_user_notification: suppress,
      ...(runtime.profile.jobs ? { running_jobs: this.runningJobs } : {}),
    });
  }

  /** A handoff was decided. */
  handedOff(decision: HandoffDecision): void {
    const { callId, planPath } = decision;
    const result = (content: string) =>
      this.conversation.append({ role: 'tool', content, toolCallId: callId });
    switch (decision.action) {
      case 'approve': {
        result('Handoff accepted');
        this.switchTo(this.runtime.sessions.create(), undefined, decision.agent);
        const content = `Execute the plan at @${planPath}. Analyse the plan, then carry out its tasks one by one.`;
        this.work(content);
        return;
      }
      case 'deny':
        result(`Handoff rejected: ${decision.reason}`);
        this.conversation.append({
          role: 'user',
          content: `Handoff rejected: ${decision.reason}\n\nPlan path: ${planPath}`,
        });
        this.resume();
        return;
      case 'cancel':
        result('Cancelled');
        if (!decision.superseded && this.runtime.profile.seq) this.settle();
    }
  }

  /** Moves to another session in place. */
  switchTo(session: Session, memory: Memory | undefined, role = this.roleIn(memory)): void {
    const { runtime } = this;
    this.conversation.moveTo(session, memory?.messages ?? []);
    this.owedByJobs = 0;
    this.loop.stop();
    this.rules.forgetSession();
    runtime.record({ kind: 'session', session_id: session.id, how: 'switched' });
    if (runtime.profile.switching) runtime.out.push('session_switched', { session_id: session.id });
    runtime.questions.enter(memory?.notes ?? [], true);
    this.takeRole(role);
  }

  /** Takes another role, with the conversation as it is. */
  takeRole(role: AgentConfig): void {
    if (role.name === this.role.name) return;
    this.role = role;
    this.conversation.session.note({ note: 'role', role: role.name });
    if (this.runtime.profile.roles) this.runtime.out.push('role_change', { role: role.name });
  }

  /** Ends everything that runs, without a word. */
  stop(): void {
    this.turn?.abort.abort();
    this.subAgents.stopAll();
    this.jobs.stopAll();
    this.conversation.session.release();
  }

  /** Whether a loop can be started: the role must be allowed to say `done`. */
  get mayLoop(): boolean {
    return mainTools(this.rules.of(this.role.name), this.runtime.profile, true, false).includes('done');
  }

  private roleIn(memory: Memory | undefined): AgentConfig {
    const { agents } = this.runtime.place;
    const noted = memory?.notes.findLast((note) => note.note === 'role')?.role;
    return agents.get(String(noted ?? 'builder')) ?? agents.get('builder')!;
  }

  private jobEnded(id: string, failed: boolean, note: string): void {
    const { runtime } = this;
    this.owedByJobs += 1;
    if (!runtime.profile.switching) {
      runtime.tell.toast(
        `Background job ${id} ${failed ? 'failed' : 'finished'}`,
        failed ? 'warn' : 'info',
        MAIN_INSTANCE,
      );
    }
    this.wake({
      ...ofItself(note),
      absorbed: () => {
        this.owedByJobs -= 1;
        if (!runtime.profile.switching) return;
        runtime.out.push('background_result', {
          session_id: this.conversation.session.id,
          target_agent_id: MAIN_ID,
          message_index: this.conversation.messages.length - 1,
          content: note,
        });
      },
    });
  }

  /** Something that the agent has to look at came from outside of its conversation. */
  attend(content: string): void {
    this.wake(ofItself(content));
  }

  /** Something happened that the agent has to look at: it joins the running turn or begins one. */
  private wake(input: Input): void {
    if (this.turn) this.queue.push(input);
    else this.begin([input], []);
  }

  private begin(inputs: Input[], receipts: Input[]): void {
    this.turns += 1;
    this.turn = { id: this.turns, abort: new AbortController(), inputs: receipts };
    this.quiet = false;
    this.parked = false;
    this.runtime.handoffs.supersede();
    this.absorb(inputs);
    void this.run(this.turn);
  }

  private absorb(inputs: Input[]): void {
    for (const { content, absorbed } of inputs) {
      this.conversation.append({ role: 'user', content });
      absorbed?.();
    }
  }

  private async run(turn: Turn): Promise<void> {
    const started = await sleep(this.runtime.clock, 0, turn.abort.signal);
    for (const input of turn.inputs) {
      const more = { turn_id: turn.id };
      if (started) receipt(this.runtime, input, 'started', more);
      else
        receipt(this.runtime, input, 'rejected', { ...more, message: 'cancelled before the first request' });
    }
    while (!turn.abort.signal.aborted && (await this.round(turn)));
    if (this.turn === turn) this.finish(turn);
  }

  private finish(turn: Turn): void {
    this.turn = undefined;
    if (turn.abort.signal.aborted) {
      this.interrupt();
    } else if (!this.runtime.handoffs.open) {
      this.drain();
    }
    if (this.turn) return;
    if (!turn.abort.signal.aborted) this.rest();
    this.settle();
  }

  /** After a cancel: queued texts enter the conversation, but nobody answers them (measured). Commands stay queued. */
  private interrupt(): void {
    const queued = this.queue;
    this.queue = queued.filter((input) => IDLE_ONLY.test(input.content.trim()));
    this.held.push(...queued.filter((input) => !input.fromUser));
    this.absorb(queued.filter((input) => input.fromUser && !this.queue.includes(input)));
    this.loop.stop();
  }

  /** The agent has nothing left to do, unless a person has to act first. */
  private rest(): void {
    const { questions, tell } = this.runtime;
    questions.taskEnded();
    if (questions.unmet) tell.activity(MAIN_ID, 'waiting_input');
  }

  /** Runs what was queued: commands one by one, all plain texts in one turn. */
  private drain(): void {
    const queued = this.queue;
    this.queue = [];
    const plain: Input[] = [];
    for (const input of queued) {
      if (this.turn) this.queue.push(input);
      else if (!input.fromUser || !this.onCommand(input.content.trim())) plain.push(input);
    }
    if (plain.length === 0) return;
    if (this.turn) this.queue.unshift(...plain);
    else this.begin(plain, []);
  }

  /** One request to the model and the calls that it asks for. Gives whether another one follows. */
  private async round(turn: Turn): Promise<boolean> {
    const { runtime, conversation, role } = this;
    const { signal } = turn.abort;
    this.worked = true;
    const offered = mainTools(
      this.rules.of(role.name),
      runtime.profile,
      this.loop.enabled,
      this.subAgents.any,
    );
    const answer = await ask(
      runtime.script,
      runtime.clock,
      {
        messages: conversation.forModel(role.name, runtime.clock.now()),
        tools: offered,
        toolChoice: this.loop.enabled ? 'required' : '',
        signal,
        provider: runtime.pools.providerOf(role),
        maxRounds: runtime.place.config.retryRounds,
      },
      {
        activity: (type, detail) => runtime.tell.activity(MAIN_ID, type, detail),
        retried: (message) => runtime.tell.retried(message, MAIN_INSTANCE),
        rolledBack: (reason) => runtime.out.push('assistant_rollback', { agent_id: '', reason }),
        emit: (type, payload) => runtime.out.push(type, payload),
      },
    );
    if (answer.end === 'stopped') {
      // Text that had come by then stays in the conversation, but no message tells it (measured).
      if (answer.text) conversation.append({ role: 'assistant', content: answer.text });
      return false;
    }
    if (answer.end === 'failed') {
      runtime.tell.error(answer.message);
      return false;
    }
    const { text, toolCalls } = answer;
    conversation.append({ role: 'assistant', content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) });
    this.spend(role, MAIN_ID, answer.usage);
    runtime.tell.assistantMessage(MAIN, text, toolCalls.length);
    if (toolCalls.length > 0) return this.callAll(toolCalls, offered, signal);
    if (!this.loop.enabled) return false;
    runtime.tell.activity(MAIN_ID, 'executing', 'loop');
    conversation.append({ role: 'user', content: this.loop.continuation() });
    this.takeQueued();
    return true;
  }

  private async callAll(calls: ToolCall[], offered: string[], signal: AbortSignal): Promise<boolean> {
    const { runtime, conversation, role } = this;
    runtime.tell.activity(MAIN_ID, 'executing', `${calls.length} tools`);
    const after: AfterBatch = {};
    const caller = {
      agentId: '',
      role: role.name,
      rules: this.rules.of(role.name),
      tools: mainToolTable(runtime, this, after),
      offered,
      allow: (tool: string, pattern: string, scope: string) => this.allow(tool, pattern, scope),
    };
    for (const call of calls) {
      caller.rules = this.rules.of(role.name);
      const { text } = await callTool(runtime, caller, call, signal);
      // A handoff or `done` gets its result when it is decided.
      if (after.deferred !== call.id)
        conversation.append({ role: 'tool', content: text, toolCallId: call.id });
    }
    if (signal.aborted) return false;
    if (after.next && !(await after.next(signal))) return false;
    this.takeQueued();
    return true;
  }

  /** What was queued joins the very next request; commands wait for the end of the turn. */
  private takeQueued(): void {
    const ready = this.queue.filter((input) => !IDLE_ONLY.test(input.content.trim()));
    this.queue = this.queue.filter((input) => IDLE_ONLY.test(input.content.trim()));
    this.absorb(ready);
  }

  private allow(tool: string, pattern: string, scope: string): void {
    const file = this.rules.allow(this.role.name, tool, pattern, scope);
    const where = file ? `${scope.replace('_', '-')} (${file})` : scope;
    this.runtime.tell.toast(`Rule added: ${tool} allow "${pattern}" · ${where} — /rules to undo`);
  }

  private spend(
    agent: AgentConfig,
    name: string,
    usage: { prompt?: number; completion?: number } | undefined,
  ): void {
    const { runtime } = this;
    const event = {
      modelRef: runtime.pools.modelOf(agent),
      agent: name,
      inputTokens: usage?.prompt ?? 0,
      outputTokens: usage?.completion ?? 0,
    };
    this.conversation.session.spend(event, runtime.clock.now());
  }
}
