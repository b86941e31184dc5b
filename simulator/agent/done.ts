import type { ToolCall } from '../model/message';
import type { Runtime } from './runtime';
import type { Acting } from './acting';

const NO_RULES = {
  action: 'ask' as const,
  needsApproval: null,
  needsApprovalRules: null,
  alreadyAllowed: null,
  alreadyAllowedRules: null,
};

function tell(runtime: Runtime, callId: string, report: string): void {
  runtime.status.touch();
  runtime.out.push('done_completion', {
    agent_id: '',
    call_id: callId,
    mode: 'normal',
    reason: '',
    report,
    status: 'success',
  });
}

/**
 * The end of a `done` call. Outside of a loop it ends the turn; in a loop a person is asked.
 *
 * The report is told in any case, after a denied `done` too (measured). Gives whether the agent goes on.
 */
export async function finishDone(
  runtime: Runtime,
  agent: Acting,
  call: ToolCall,
  report: string,
  signal: AbortSignal,
): Promise<boolean> {
  const result = (content: string) =>
    agent.conversation.append({ role: 'tool', content, toolCallId: call.id });
  if (!agent.loop.enabled) {
    result(report);
    tell(runtime, call.id, report);
    return false;
  }
  if (agent.openTodos > 0 || agent.subAgents.active) {
    const again = agent.loop.intercept();
    // Not measured: this text and the last one of this function, which only the model sees.
    result('Done rejected: work is still open.');
    tell(runtime, call.id, report);
    // Not measured: what follows the last interception; no recorded loop came to its limit.
    if (!again) runtime.tell.needsUser('The loop reached its limit; decide whether it goes on');
    return again;
  }
  const reason = `Done requested: report received (${Array.from(report).length} chars)`;
  const answer = await runtime.confirms.ask({
    tool: 'done',
    argumentsJson: JSON.stringify({ reason, report }),
    decision: NO_RULES,
    agentId: '',
    signal,
  });
  if (answer.outcome === 'cancelled') {
    result('Cancelled');
    // Not measured: that later builds tell neither report nor decision here.
    if (!runtime.profile.roles) {
      tell(runtime, call.id, report);
      runtime.tell.info(agent.loop.undecided());
      agent.turns.stall();
    }
    return false;
  }
  if (answer.outcome === 'allowed') {
    result('Done approved');
    tell(runtime, call.id, report);
    agent.loop.stop();
    return false;
  }
  result(`Done rejected: ${answer.reason || 'User rejected loop exit and requires more work before Done.'}`);
  tell(runtime, call.id, report);
  agent.loop.rejected();
  return true;
}
