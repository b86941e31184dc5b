import { parse } from 'flatted';

/** One item that a node put out. */
export interface ExecutionItem {
  json: Record<string, unknown>;
  binary?: Record<string, unknown>;
  pairedItem?: unknown;
  error?: unknown;
}

/** One run of one node. */
export interface NodeRun {
  executionStatus: string;
  error?: { message: string; description?: string };
  /** Items by output; an output that nothing came out of may be `null`. */
  data?: { main?: (ExecutionItem[] | null)[] };
}

/** An execution as it stands in the list. */
export interface ExecutionSummary {
  id: string;
  workflowId: string;
  status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';
  mode: string;
  startedAt: string;
  stoppedAt?: string;
}

/** An execution with what its nodes did. */
export interface Execution extends ExecutionSummary {
  /** The runs of each node, by the node's name. */
  runData: Record<string, NodeRun[]>;
  error?: { message: string; description?: string };
  /** Whether its data is that of an execution which waits: n8n 1 stores it a moment after the status. */
  waits: boolean;
}

/** n8n stores an execution's data flattened, so that what occurs twice is stored once. */
export function readExecution(stored: ExecutionSummary & { data: string }): Execution {
  const { data, ...summary } = stored;
  const { resultData, waitTill } = parse(data) as {
    waitTill?: unknown;
    resultData: { runData?: Execution['runData']; error?: Execution['error'] };
  };
  return { ...summary, runData: resultData.runData ?? {}, error: resultData.error, waits: Boolean(waitTill) };
}

/** What a node put out on one output, in its last run or in the one named. */
export function outputOf(execution: Execution, node: string, output = 0, run?: number): ExecutionItem[] {
  const runs = execution.runData[node] ?? [];
  return runs[run ?? runs.length - 1]?.data?.main?.[output] ?? [];
}
