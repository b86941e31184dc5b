import { join } from 'node:path';
import { sleep } from '../clock';
import { roleNamed, type AgentConfig } from '../config/agents';
import { Rulebook } from '../config/rulebook';
import type { Memory, Session } from '../disk/session';
import type { HandoffDecision } from '../requests/handoffs';
import { mainTools } from '../tools/toolbox';
import type { Acting } from './acting';
import { Conversation } from './conversation';
import { receipt, type Input } from './inputs';
import { Jobs, type JobEnd } from './jobs';
import { Loop } from './loop';
import { InputQueue } from './queue';
import { Quiet } from './quiet';
import { Rounds } from './round';
import type { Runtime } from './runtime';
import { SubAgents } from './subAgents';
import { MAIN_ID, MAIN_INSTANCE } from './telling';

interface Turn {
  id: number;
  abort: AbortController;
  /** Inputs whose receipt says whether this turn began. */
  inputs: Input[];
}

/** An input that no person wrote. */
const ofItself = (content: string): Input => ({ content, requestId: '', fromUser: false });

/** The main agent: its conversation, its turns, and what waits for them. */
export class MainAgent implements Acting {
  readonly conversation: Conversation;
  readonly rules: Rulebook;
  readonly loop = new Loop();
  readonly jobs: Jobs;
  readonly subAgents: SubAgents;
  readonly quiet: Quiet;
  role: AgentConfig;
  openTodos = 0;
  /** Runs a slash command when its time has come. */
  onCommand: (text: string) => void = () => undefined;
  private readonly rounds: Rounds;
  private readonly queue: InputQueue;
  private turn: Turn | undefined;
  private turns = 0;
  /** A `cancel` parks the queue: the next input is said to be queued, though it runs at once. */
  private parked = false;
  private owedByJobs = 0;
  /** No `idle` is told until the next turn. */
  private stalled = false;
  /** What was asked for while a turn ran, and has to wait for its end. */
  private afterwards: (() => void)[] = [];

  constructor(
    private readonly runtime: Runtime,
    session: Session,
    memory: Memory | undefined,
  ) {
    const { place } = runtime;
    const folders = { project: join(place.project, '.chord'), user_global: place.configHome };
    this.conversation = new Conversation(session, place.project);
    this.conversation.messages = memory?.messages ?? [];
    this.role = this.roleIn(memory);
    this.rules = new Rulebook(folders, place.agents);
    this.queue = new InputQueue(!runtime.profile.roles);
    this.rounds = new Rounds(runtime, this);
    this.quiet = new Quiet(runtime);
    this.jobs = new Jobs(place.project, runtime.clock, {
      ended: (end) => this.jobEnded(end),
      stopped: (id) => this.jobToast(id, 'warn'),
    });
    this.subAgents = new SubAgents(runtime, {
      rules: this.rules,
      mail: (content) => this.attend(content),
      spend: (agent, name, usage) => this.rounds.spend(agent, name, usage),
      rested: () => this.settle(),
    });
  }

  get busy(): boolean {
    return this.turn !== undefined;
  }

  /** Background jobs that still owe the agent a note. */
  get runningJobs(): number {
    return this.jobs.running + this.owedByJobs;
  }

  /** Whether a loop can be started: the role must be allowed to say `done`. */
  get mayLoop(): boolean {
    return mainTools(this.rules.of(this.role.name), this.runtime.profile, true, false).includes('done');
  }

  /** A plain message of a person. */
  send(input: Input): void {
    if (this.turn) {
      this.queue.add(input);
      receipt(this.runtime, input, 'queued');
      return;
    }
    if (this.parked) receipt(this.runtime, input, 'queued');
    const kept = this.runtime.questions.unpause().map(ofItself);
    this.begin([...this.queue.takeHeld(), ...kept, input], this.parked ? [] : [input]);
  }

  /** Goes on from the conversation as it stands. */
  resume(): void {
    this.begin([], []);
  }

  /** Begins a turn on a text that no person typed as such. */
  work(content: string): void {
    this.begin([ofItself(content)], []);
  }

  /** Something that the agent has to look at: it joins the running turn or begins one. */
  attend(content: string): void {
    this.wake(ofItself(content));
  }

  /** Runs something now, or when the running turn has ended. */
  whenRested(run: () => void): void {
    if (this.turn) this.afterwards.push(run);
    else run();
  }

  /** Ends the running turn; without one nothing is told. */
  cancel(): void {
    this.parked = true;
    this.runtime.questions.pause();
    const delegated = this.subAgents.active;
    this.turn?.abort.abort();
    this.subAgents.stopAll();
    if (!delegated) return;
    // In the measured build a cancel of both, main agent and SubAgent, is never followed by an `idle`.
    if (this.turn) this.stalled = !this.runtime.profile.roles;
    else void sleep(this.runtime.clock, 0).then(() => this.settle());
  }

  /** Tells `idle` once everything is quiet: no turn, no SubAgent, nothing queued, and (with `seq`) no open handoff. */
  settle(): void {
    const held = this.runtime.profile.seq && this.runtime.handoffs.open;
    if (this.turn || this.stalled || this.subAgents.active || !this.queue.empty || held) this.quiet.busy();
    else this.quiet.tell(this.runningJobs);
  }

  /** A handoff was decided. */
  handedOff(decision: HandoffDecision): void {
    const { callId, planPath } = decision;
    const result = (content: string) =>
      this.conversation.append({ role: 'tool', content, toolCallId: callId });
    switch (decision.action) {
      case 'approve':
        result('Handoff accepted');
        this.switchTo(this.runtime.sessions.create(), undefined, decision.agent);
        this.work(`Execute the plan at @${planPath}. Analyse the plan, then carry out its tasks one by one.`);
        return;
      case 'deny': {
        const content = `Handoff rejected: ${decision.reason}`;
        result(content);
        this.work(`${content}\n\nPlan path: ${planPath}`);
        return;
      }
      case 'cancel':
        result('Cancelled');
        if (decision.superseded) this.quiet.stir();
        else if (this.runtime.profile.seq) this.settle();
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

  takeQueued(): void {
    this.absorb(this.queue.takeTexts());
  }

  stall(): void {
    this.stalled = !this.runtime.profile.roles;
  }

  /** Ends everything that runs, without a word. */
  stop(): void {
    this.turn?.abort.abort();
    this.subAgents.stopAll();
    this.jobs.stopAll();
    this.conversation.session.release();
  }

  private roleIn(memory: Memory | undefined): AgentConfig {
    const { agents } = this.runtime.place;
    const noted = memory?.notes.findLast((note) => note.note === 'role')?.role;
    return roleNamed(agents, String(noted), roleNamed(agents, 'builder'));
  }

  private jobEnded({ id, failed, note }: JobEnd): void {
    this.owedByJobs += 1;
    this.jobToast(id, failed ? 'error' : 'info');
    this.wake({ ...ofItself(note), absorbed: () => this.jobNoted(note) });
  }

  /** Builds with `background_result` tell a job by that alone. */
  private jobToast(id: string, level: 'info' | 'warn' | 'error'): void {
    const { profile, tell } = this.runtime;
    if (!profile.switching) tell.toast(`Background job ${id} finished`, level, MAIN_INSTANCE);
  }

  private jobNoted(content: string): void {
    const { runtime, conversation } = this;
    this.owedByJobs -= 1;
    if (!runtime.profile.switching) return;
    runtime.out.push('background_result', {
      session_id: conversation.session.id,
      target_agent_id: MAIN_ID,
      message_index: conversation.messages.length - 1,
      content,
    });
  }

  private wake(input: Input): void {
    if (this.turn) this.queue.add(input);
    else this.begin([input], []);
  }

  private begin(inputs: Input[], receipts: Input[]): void {
    this.turns += 1;
    this.turn = { id: this.turns, abort: new AbortController(), inputs: receipts };
    this.quiet.stir();
    this.parked = false;
    this.stalled = false;
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
    const { runtime } = this;
    const { signal } = turn.abort;
    const started = await sleep(runtime.clock, 0, signal);
    for (const input of turn.inputs) {
      const facts = { turn_id: turn.id };
      if (started) receipt(runtime, input, 'started', facts);
      else receipt(runtime, input, 'rejected', { ...facts, message: 'cancelled before the first request' });
    }
    let more = started;
    while (more && !signal.aborted) {
      this.quiet.work();
      more = await this.rounds.play(signal);
    }
    this.finish(turn);
  }

  private finish(turn: Turn): void {
    const cancelled = turn.abort.signal.aborted;
    this.turn = undefined;
    for (const run of this.afterwards.splice(0)) run();
    if (cancelled) {
      this.absorb(this.queue.interrupt());
    } else if (!this.runtime.handoffs.open) {
      this.drain();
    }
    if (this.busy) return;
    if (!cancelled) this.rest();
    this.settle();
  }

  /** The agent has nothing left to do, unless a person has to act first. */
  private rest(): void {
    const { questions, tell } = this.runtime;
    questions.taskEnded();
    if (questions.unmet) tell.activity(MAIN_ID, 'waiting_input');
  }

  /** Runs what was queued: commands one by one, then all plain texts in one turn. */
  private drain(): void {
    for (let next = this.queue.takeCommand(); next; next = this.turn ? undefined : this.queue.takeCommand()) {
      this.onCommand(next.content.trim());
    }
    if (this.busy) return;
    const texts = this.queue.takeTexts();
    if (texts.length > 0) this.begin(texts, []);
  }
}
