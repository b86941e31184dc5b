import { join } from 'node:path';
import { roleNamed, type AgentConfig } from '../config/agents';
import { Rulebook } from '../config/Rulebook';
import type { Memory, Session } from '../disk/Session';
import type { HandoffDecision } from '../requests/Handoffs';
import { FileTools } from '../tools/FileTools';
import { mainTools } from '../tools/toolbox';
import type { Base } from './base';
import { Conversation } from './Conversation';
import { ofItself } from './inputs';
import { JobNotes } from './JobNotes';
import type { Jobs } from './Jobs';
import { Loop } from './Loop';
import { Rounds } from './Rounds';
import { createRuntime, type Runtime } from './runtime';
import { SlashCommands, type Commanded } from './SlashCommands';
import { SubAgents } from './SubAgents';
import { Turns, type TurnAgent } from './Turns';

/** The main agent: its conversation, its role, and whom and what it works with. */
export class MainAgent implements Commanded, TurnAgent {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly rules: Rulebook;
  readonly loop = new Loop();
  readonly files: FileTools;
  readonly subAgents: SubAgents;
  readonly turns: Turns;
  readonly slash: SlashCommands;
  role: AgentConfig;
  openTodos = 0;
  private readonly rounds: Rounds;
  private readonly notes: JobNotes;

  /** `base`: what it stands on; the requests, which go on with this agent when they are decided, are added here. */
  constructor(base: Base, session: Session, memory: Memory | undefined) {
    const { place } = base;
    const runtime = createRuntime(base, {
      wake: (content) => this.turns.attend(ofItself(content)),
      cancel: () => this.turns.cancel(),
      note: (note) => this.conversation.session.note(note),
      handedOff: (decision) => this.handedOff(decision),
    });
    this.runtime = runtime;
    this.conversation = new Conversation(session, place.project);
    this.conversation.messages = memory?.messages ?? [];
    this.role = this.roleIn(memory);
    this.rules = new Rulebook(
      { project: join(place.project, '.chord'), user_global: place.configHome },
      place.agents,
    );
    this.files = new FileTools(place.project);
    this.turns = new Turns(runtime, this);
    this.rounds = new Rounds(runtime, this);
    this.notes = new JobNotes(runtime, this.conversation, (input) => this.turns.attend(input));
    this.subAgents = new SubAgents(runtime, {
      rules: this.rules,
      mail: (content) => this.turns.attend(ofItself(content)),
      spend: (agent, name, usage) => this.rounds.spend(agent, name, usage),
      rested: () => this.turns.settle(),
    });
    this.slash = new SlashCommands(runtime, this);
  }

  get jobs(): Jobs {
    return this.notes.jobs;
  }

  get runningJobs(): number {
    return this.notes.running;
  }

  get mayLoop(): boolean {
    return mainTools(this.rules.of(this.role.name), this.runtime.profile, true, false).includes('done');
  }

  play(signal: AbortSignal): Promise<boolean> {
    return this.rounds.play(signal);
  }

  runCommand(text: string): void {
    if (!this.slash.runAnyTime(text)) this.slash.runIdle(text);
  }

  switchTo(session: Session, memory: Memory | undefined, role = this.roleIn(memory)): void {
    const { runtime } = this;
    this.conversation.moveTo(session, memory?.messages ?? []);
    this.notes.forget();
    this.loop.stop();
    this.rules.forgetSession();
    runtime.record({ kind: 'session', session_id: session.id, how: 'switched' });
    if (runtime.profile.switching) runtime.out.push('session_switched', { session_id: session.id });
    runtime.questions.enter(memory?.notes ?? [], true);
    this.takeRole(role);
  }

  takeRole(role: AgentConfig): void {
    if (role.name === this.role.name) return;
    this.role = role;
    this.conversation.session.note({ note: 'role', role: role.name });
    if (this.runtime.profile.roles) this.runtime.out.push('role_change', { role: role.name });
  }

  /** Ends everything that runs, without a word. */
  stop(): void {
    this.turns.stop();
    this.subAgents.stopAll();
    this.jobs.stopAll();
    this.conversation.session.release();
  }

  private handedOff(decision: HandoffDecision): void {
    const { runtime, turns } = this;
    const { callId, planPath } = decision;
    const result = (content: string) =>
      this.conversation.append({ role: 'tool', content, toolCallId: callId });
    switch (decision.action) {
      case 'approve':
        result('Handoff accepted');
        this.switchTo(runtime.sessions.create(), undefined, decision.agent);
        turns.work(
          `Execute the plan at @${planPath}. Analyse the plan, then carry out its tasks one by one.`,
        );
        return;
      case 'deny': {
        const content = `Handoff rejected: ${decision.reason}`;
        result(content);
        turns.work(`${content}\n\nPlan path: ${planPath}`);
        return;
      }
      case 'cancel':
        result('Cancelled');
        if (decision.superseded) turns.quiet.stir();
        else if (runtime.profile.seq) turns.settle();
    }
  }

  private roleIn(memory: Memory | undefined): AgentConfig {
    const { agents } = this.runtime.place;
    const noted = memory?.notes.findLast((note) => note.note === 'role')?.role;
    return roleNamed(agents, String(noted), roleNamed(agents, 'builder'));
  }
}
