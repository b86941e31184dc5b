import type { AgentConfig } from '../config/agents';
import type { Rulebook } from '../config/Rulebook';
import type { FileTools } from '../tools/FileTools';
import type { Conversation } from './Conversation';
import type { Jobs } from './Jobs';
import type { Loop } from './Loop';
import type { SubAgents } from './SubAgents';
import type { Turns } from './Turns';

/** The main agent as its rounds, tools and slash commands see it. */
export interface Acting {
  readonly conversation: Conversation;
  readonly rules: Rulebook;
  readonly loop: Loop;
  readonly jobs: Jobs;
  readonly subAgents: SubAgents;
  readonly turns: Turns;
  readonly files: FileTools;
  readonly role: AgentConfig;
  /** Entries of the todo list that are not settled: they keep a loop going. */
  openTodos: number;
}
