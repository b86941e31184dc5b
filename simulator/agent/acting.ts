import type { AgentConfig } from '../config/agents';
import type { Rulebook } from '../config/rulebook';
import type { Conversation } from './conversation';
import type { Jobs } from './jobs';
import type { Loop } from './loop';
import type { SubAgents } from './subAgents';

/** The main agent as its rounds and tools see it. */
export interface Acting {
  readonly conversation: Conversation;
  readonly rules: Rulebook;
  readonly loop: Loop;
  readonly jobs: Jobs;
  readonly subAgents: SubAgents;
  readonly role: AgentConfig;
  /** Entries of the todo list that are not settled: they keep a loop going. */
  openTodos: number;
  /** Writes down what was queued, so that the next request shows it; commands wait for the end of the turn. */
  takeQueued(): void;
  /** The measured build rests without an `idle` when the decision about a loop is cancelled. */
  stall(): void;
}
