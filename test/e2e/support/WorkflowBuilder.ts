import { randomUUID } from 'node:crypto';

import type { Workflow, WorkflowNode } from '../../../rig/n8nWorkflowFile';

/** Versions of n8n's own nodes that exist in n8n 1.123 as well as in 2.40. */
const VERSIONS: Record<string, number> = {
  'n8n-nodes-base.emailSend': 2.1,
  'n8n-nodes-base.form': 2.3,
  'n8n-nodes-base.formTrigger': 2.3,
  'n8n-nodes-base.webhook': 2,
  'n8n-nodes-base.set': 3.4,
  'n8n-nodes-base.splitInBatches': 3,
  'n8n-nodes-base.splitOut': 1,
  'n8n-nodes-base.executeWorkflow': 1.2,
  'n8n-nodes-base.executeWorkflowTrigger': 1.1,
  'n8n-nodes-base.wait': 1.1,
  '@n8n/n8n-nodes-langchain.agent': 2,
  '@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.2,
};

/** Where the next connection starts: a node, or one of its outputs. */
export type Source = string | { node: string; output: number };

/** Builds a workflow in code, node by node. */
export class WorkflowBuilder {
  readonly #workflow: Workflow;

  constructor(name: string) {
    this.#workflow = { name, nodes: [], connections: {}, settings: { executionOrder: 'v1' } };
  }

  /** Adds a node; a type without a package is one of n8n's own, `chord…` is one of ours. */
  node(
    name: string,
    type: string,
    parameters: Record<string, unknown> = {},
    more: Partial<WorkflowNode> = {},
  ): this {
    const full = /[.]/.test(type)
      ? type
      : `${type.startsWith('chord') ? 'n8n-nodes-chord' : 'n8n-nodes-base'}.${type}`;
    this.#workflow.nodes.push({
      id: randomUUID(),
      name,
      type: full,
      typeVersion: VERSIONS[full] ?? 1,
      position: [this.#workflow.nodes.length * 200, 0],
      webhookId: randomUUID(),
      parameters,
      ...more,
    });
    return this;
  }

  /** Adds the nodes `Split` and `Each`, which take the entries of a list one by one, each as this field of an item. */
  oneByOne(list: string, field: string): this {
    return this.node('Split', 'splitOut', {
      fieldToSplitOut: list,
      options: { destinationFieldName: field },
    }).node('Each', 'splitInBatches', { batchSize: 1, options: {} });
  }

  /** Connects nodes one after the other, each by its first output or by the one named. */
  connect(first: Source, ...rest: Source[]): this {
    rest.reduce((from, to) => {
      const { node, output } = typeof from === 'string' ? { node: from, output: 0 } : from;
      const { main: outputs = [] } = (this.#workflow.connections[node] ??= { main: [] });
      while (outputs.length <= output) outputs.push([]);
      outputs[output]?.push({ node: typeof to === 'string' ? to : to.node, type: 'main', index: 0 });
      return to;
    }, first);
    return this;
  }

  /** Pins items to a node, as in the editor. */
  pin(node: string, ...items: unknown[]): this {
    this.#workflow.pinData = { ...this.#workflow.pinData, [node]: items.map((json) => ({ json })) };
    return this;
  }

  build(): Workflow {
    return structuredClone(this.#workflow);
  }
}

/** The parameters of n8n's Send Email node that asks and waits, with the form that a request brings along. */
export const ASK_BY_EMAIL = {
  operation: 'sendAndWait',
  fromEmail: 'chord@example.com',
  toEmail: 'you@example.com',
  subject: '={{ $json.summary }}',
  message: '={{ $json.html }}',
  responseType: 'customForm',
  defineForm: 'json',
  jsonOutput: '={{ $json.request.form }}',
  options: { appendAttribution: false, responseFormDescription: '={{ $json.html }}' },
};

/** The parameters of n8n's Send Email node that sends a report. */
export const MAIL_REPORT = {
  resource: 'email',
  operation: 'send',
  fromEmail: 'chord@example.com',
  toEmail: 'you@example.com',
  subject: '={{ "Report: " + $json.summary }}',
  emailFormat: 'both',
  text: '={{ $json.text }}',
  html: '={{ $json.html }}',
  options: { appendAttribution: false },
};
