/** A node as it stands in a workflow file. */
export interface WorkflowNode {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  credentials?: Record<string, { id: string; name: string }>;
  webhookId?: string;
  onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  [key: string]: unknown;
}

/** From one output of a node to one input of another. */
export interface WorkflowLink {
  node: string;
  type: string;
  index: number;
}

/** A workflow file as n8n exports it. */
export interface Workflow {
  name: string;
  nodes: WorkflowNode[];
  connections: Record<string, Record<string, (WorkflowLink[] | null)[]>>;
  settings?: Record<string, unknown>;
  /** Items that a node gives in a manual run instead of its own. */
  pinData?: Record<string, { json: unknown }[]>;
}
