import { isDisabled, type Rule } from '../config/permission';
import type { Profile } from '../wire/profile';

/** The tools of the main agent, by name. */
const MAIN_TOOLS =
  'delete done edit glob grep handoff question read shell spawn spawn_status spawn_stop todo_write web_fetch write'.split(
    ' ',
  );

/** Those that come with the right to delegate. Not measured: `task_collect` and `task_group_create` are offered and cannot be called here. */
const DELEGATION_TOOLS = 'cancel delegate notify task_collect task_group_create'.split(' ');

/** Those that only SubAgents have, whatever their rules say. */
const SUBAGENT_TOOLS = 'complete escalate notify'.split(' ');

/**
 * Which tools are offered to the main agent in a role. Later builds offer `done` only while a loop runs.
 *
 * Not measured: that they do, and `image`.
 */
export function mainTools(rules: Rule[], profile: Profile, looping: boolean, mayDelegate: boolean): string[] {
  const names =
    mayDelegate && !isDisabled(rules, 'delegate') ? [...MAIN_TOOLS, ...DELEGATION_TOOLS] : MAIN_TOOLS;
  const images = profile.images ? ['image'] : [];
  return [...names, ...images]
    .filter((name) => !isDisabled(rules, name) && (name !== 'done' || !profile.roles || looping))
    .sort();
}

/** Which tools are offered to a SubAgent. */
export function subAgentTools(rules: Rule[]): string[] {
  const own = MAIN_TOOLS.filter((name) => !['done', 'handoff', 'question', 'todo_write'].includes(name));
  return [...own.filter((name) => !isDisabled(rules, name)), ...SUBAGENT_TOOLS].sort();
}
