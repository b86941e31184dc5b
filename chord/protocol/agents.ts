/**
 * Whether an agent id means the main agent: empty in messages and reports, `main` in `activity`, `main-1` and the like
 * in runtime errors and toasts (measured).
 */
export const isMainAgent = (agentId: string): boolean =>
  agentId === '' || agentId === 'main' || /^main-\d+$/.test(agentId);
