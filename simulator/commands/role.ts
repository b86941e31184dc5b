import type { MainAgent } from '../agent/MainAgent';
import { roleNamed } from '../config/agents';
import type { Command } from '../wire/command';

/**
 * A `role` command: lists the roles of the main agent, or takes another one.
 *
 * Not measured: the measured build has no such command. Fields, order and refusals are from the sources of later
 * builds; the wording of the refusals is made up.
 */
export function role(agent: MainAgent, command: Command): void {
  const { runtime, turns } = agent;
  const answer = (ok: boolean, more: object) => runtime.out.reply('role_response', { ok, ...more });
  const mains = [...runtime.place.agents.values()]
    .filter(({ mode }) => mode === 'main')
    .map(({ name }) => name);
  const first = ['builder', 'planner'].filter((name) => mains.includes(name));
  const names = [...first, ...mains.filter((name) => !first.includes(name)).sort()];
  if (command.action === 'list') {
    answer(true, { roles: names.map((name) => ({ name, current: name === agent.role.name })) });
    return;
  }
  if (command.action !== 'set') {
    answer(false, { message: `unsupported role action: ${command.action}` });
    return;
  }
  const name = command.role.trim();
  const problem = runtime.handoffs.open
    ? 'a handoff is waiting; decide it first'
    : name === agent.role.name
      ? `role "${name}" is already active`
      : names.includes(name)
        ? undefined
        : `unknown role "${name}"`;
  if (problem) {
    answer(false, { message: problem });
    return;
  }
  answer(true, { message: 'role set', role: name });
  agent.takeRole(roleNamed(runtime.place.agents, name));
  if (!turns.busy) turns.settle();
}
