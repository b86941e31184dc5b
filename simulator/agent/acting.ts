import type { AgentConfig } from '../config/agents';
import type { Rulebook } from '../config/rulebook';
import type { FileTools } from '../tools/files';
import type { Conversation } from './conversation';
import type { Jobs } from './jobs';
import type { Loop } from './loop';
import type { SubAgents } from './subAgents';
import type { Turns } from './turns';

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
