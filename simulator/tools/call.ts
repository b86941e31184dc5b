import type { Runtime } from '../agent/runtime';
import { judge, type Decision, type Rule } from '../config/permission';
import type { ToolCall } from '../model/message';
import { decode, isRecord } from '../wire/json';
import { ToolFailure } from './FileTools';

/** One tool: takes its arguments and gives the text for the model. Throws `ToolFailure`. */
export type Tool = (
  args: Record<string, unknown>,
  call: ToolCall,
  signal: AbortSignal,
) => string | Promise<string>;

/** An agent that calls tools. */
export interface Caller {
  /** Empty for the main agent. */
  agentId: string;
  /** The role whose rules hold and grow. */
  role: string;
  rules: Rule[];
  /** Tools that are offered; any other is unknown to this agent. */
  tools: Record<string, Tool>;
  offered: string[];
  /** Adds a rule that came with a confirmation. */
  allow(tool: string, pattern: string, scope: string): void;
}

/** A call that was made. `ran` is false when rules, a person or a cancel kept it from running. */
export interface CallResult {
  text: string;
  ran: boolean;
}

const refused = (text: string): CallResult => ({ text: `Error: ${text}`, ran: false });

async function confirmed(
  runtime: Runtime,
  caller: Caller,
  call: ToolCall,
  decision: Decision,
  signal: AbortSignal,
): Promise<{ call: ToolCall } | CallResult> {
  const answer = await runtime.confirms.ask({
    tool: call.name,
    argumentsJson: call.arguments,
    decision,
    agentId: caller.agentId,
    signal,
  });
  if (answer.outcome === 'cancelled') return { text: 'Cancelled', ran: false };
  if (answer.outcome !== 'allowed') {
    return refused(`tool "${call.name}" rejected by user${answer.reason ? `: ${answer.reason}` : ''}`);
  }
  if (answer.rule) caller.allow(call.name, answer.rule.pattern, answer.rule.scope);
  if (!answer.finalArguments) return { call };
  // What a person wrote is not asked about again, but a denied call stays denied.
  if (judge(caller.rules, call.name, answer.finalArguments).action === 'deny') {
    return refused(`tool "${call.name}" is denied by the permission rules`);
  }
  return { call: { ...call, arguments: answer.finalArguments } };
}

async function run(caller: Caller, call: ToolCall, signal: AbortSignal): Promise<CallResult> {
  const tool = caller.tools[call.name];
  if (!tool) return refused(`unknown tool "${call.name}"`);
  const args = decode(call.arguments);
  if (!isRecord(args)) return refused(`invalid arguments for tool "${call.name}"`);
  try {
    return { text: await tool(args, call, signal), ran: true };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { text: `Error: ${error.message}`, ran: true };
  }
}

/** Does with a tool call what Chord does: judges it by the rules, asks where they ask, and runs it. */
export async function callTool(
  runtime: Runtime,
  caller: Caller,
  proposed: ToolCall,
  signal: AbortSignal,
): Promise<CallResult> {
  let call = proposed;
  const finish = (result: CallResult): CallResult => {
    runtime.record({
      kind: 'tool',
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
      agent_id: caller.agentId,
      status: result.ran ? 'ran' : 'refused',
    });
    return result;
  };
  if (signal.aborted) return finish({ text: 'Cancelled', ran: false });
  if (!caller.offered.includes(call.name) || !caller.tools[call.name])
    return finish(refused(`unknown tool "${call.name}"`));
  const decision = judge(caller.rules, call.name, call.arguments);
  const asks = decision.action === 'ask' && call.name !== 'done';
  if (decision.action === 'deny' && !['complete', 'escalate', 'notify'].includes(call.name)) {
    return finish(refused(`tool "${call.name}" is denied by the permission rules`));
  }
  if (asks) {
    const word = await confirmed(runtime, caller, call, decision, signal);
    if (!('call' in word)) return finish(word);
    call = word.call;
  }
  return finish(await run(caller, call, signal));
}
