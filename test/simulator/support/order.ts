/** Main agent and SubAgent run at the same time: how their lines interleave is not the same in two runs of Chord either. */
export const FREE_ORDER = new Set(['subagent']);

/**
 * For a run of several agents: the lines of each agent in its own order. `agent_started` and `agent_notify` are told
 * by the main loop while the SubAgent already works, so they stand by themselves.
 */
export function byAgent(lines: string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const line of lines) {
    const { type, payload } = JSON.parse(line) as { type: string; payload: { agent_id?: string } };
    const told = type === 'agent_started' || type === 'agent_notify';
    const agent = told
      ? type
      : payload.agent_id === undefined || payload.agent_id === ''
        ? 'main'
        : payload.agent_id;
    (lists[agent] ??= []).push(line);
  }
  return lists;
}
