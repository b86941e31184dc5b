import type { AgentDocument } from '../../../chord';

/** The agent that a user talks to. */
export const mainAgent: AgentDocument = { id: '', type: '', task_id: '', is_main: true };

/** A helper that the main agent gave a task. */
export const subAgent: AgentDocument = { id: 'tester-1', type: 'tester', task_id: 'task-1', is_main: false };
