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
    const published = type === 'agent_started' || type === 'agent_notify';
    const agent = published
      ? type
      : payload.agent_id === undefined || payload.agent_id === ''
        ? 'main'
        : payload.agent_id;
    (lists[agent] ??= []).push(line);
  }
  return lists;
}

/**
 * Cases in which two threads of the real Chord race, so that it does not tell the same in every run on a busy machine:
 * what a local command says against the agent's next request, and the outcome that a `cancel` leaves against the `idle`
 * that it causes. The simulator has to do what one of those runs did.
 */
export const RACES = new Set([
  'slash-confirm',
  'cancel-confirm',
  'cancel-question',
  'cancel-midstream',
  'hang-cancel',
]);
