import { sleep } from '../clock';
import type { Conversation } from './Conversation';
import { ofItself, receipt, type Input } from './inputs';
import { InputQueue } from './InputQueue';
import { Quiet } from './Quiet';
import type { Runtime } from './runtime';
import type { SubAgents } from './SubAgents';
import { MAIN_ID } from './Telling';

interface Turn {
  id: number;
  abort: AbortController;
  /** Inputs whose receipt says whether this turn began. */
  inputs: Input[];
}

/** What turns need of the agent that takes them. */
export interface TurnAgent {
  readonly conversation: Conversation;
  readonly subAgents: SubAgents;
  /** Background jobs that still owe the agent a note. */
  readonly runningJobs: number;
  /** Plays one round of the running turn. Gives whether another one follows. */
  play(signal: AbortSignal): Promise<boolean>;
  /** Runs a slash command that had to wait. */
  runCommand(text: string): void;
}

/** The turns of the main agent: when one begins and ends, what waits for its end, and when everything is quiet. */
export class Turns {
  readonly quiet: Quiet;
  private readonly queue: InputQueue;
  private turn: Turn | undefined;
  private count = 0;
  /** A `cancel` parks the queue: the next input is said to be queued, though it runs at once. */
  private parked = false;
  /** No `idle` is told until the next turn. */
  private stalled = false;
  /** What was asked for while a turn ran, and has to wait for its end. */
  private afterwards: (() => void)[] = [];

  constructor(
    private readonly runtime: Runtime,
    private readonly agent: TurnAgent,
  ) {
    this.queue = new InputQueue(!runtime.profile.roles);
    this.quiet = new Quiet(runtime);
  }

  get busy(): boolean {
    return this.turn !== undefined;
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

  /** Begins a turn on a text that no person typed as such. */
  work(content: string): void {
    this.begin([ofItself(content)], []);
  }

  /** Something that the agent has to look at: it joins the running turn or begins one. */
  attend(input: Input): void {
    if (this.turn) this.queue.add(input);
    else this.begin([input], []);
  }

  /** Runs something now, or when the running turn has ended. */
  whenRested(run: () => void): void {
    if (this.turn) this.afterwards.push(run);
    else run();
  }

  /** Ends the running turn; without one nothing is told. */
  cancel(): void {
    const { runtime } = this;
    const { subAgents } = this.agent;
    this.parked = true;
    runtime.questions.pause();
    const delegated = subAgents.active;
    this.turn?.abort.abort();
    subAgents.stopAll();
    if (!delegated) return;
    // In the measured build a cancel of both, main agent and SubAgent, is never followed by an `idle`.
    // Not measured: that later builds tell it.
    if (this.turn) this.stalled = !runtime.profile.roles;
    else void sleep(runtime.clock, 0).then(() => this.settle());
  }

  /**
   * Tells `idle` once everything is quiet: no turn, no SubAgent, nothing queued, and (with `seq`) no open handoff.
   *
   * Not measured: that `idle` waits for an open handoff; the documentation of builds with `seq` says so.
   */
  settle(): void {
    const held = this.runtime.profile.seq && this.runtime.handoffs.open;
    if (this.turn || this.stalled || this.agent.subAgents.active || !this.queue.empty || held)
      this.quiet.busy();
    else this.quiet.tell(this.agent.runningJobs);
  }

  /** Writes down what was queued, so that the next request shows it; commands wait for the end of the turn. */
  takeQueued(): void {
    this.absorb(this.queue.takeTexts());
  }

  /**
   * The measured build rests without an `idle` when the decision about a loop is cancelled.
   *
   * Not measured: that later builds do not.
   */
  stall(): void {
    this.stalled = !this.runtime.profile.roles;
  }

  /** Ends the running turn without a word. */
  stop(): void {
    this.turn?.abort.abort();
  }

  private begin(inputs: Input[], receipts: Input[]): void {
    this.count += 1;
    this.turn = { id: this.count, abort: new AbortController(), inputs: receipts };
    this.quiet.stir();
    this.parked = false;
    this.stalled = false;
    this.runtime.handoffs.supersede();
    this.absorb(inputs);
    void this.run(this.turn);
  }

  private absorb(inputs: Input[]): void {
    for (const { content, absorbed } of inputs) {
      this.agent.conversation.append({ role: 'user', content });
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
      more = await this.agent.play(signal);
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
      this.agent.runCommand(next.content.trim());
    }
    if (this.busy) return;
    const texts = this.queue.takeTexts();
    if (texts.length > 0) this.begin(texts, []);
  }
}
