import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Workflow } from './n8nWorkflowFile';
import { projectRoot } from './projectRoot';

/** The credentials of a throw-away n8n, by type. */
export type Credentials = Record<string, { id: string; name: string }>;

/** Which nodes need which credential. */
const NEEDS: [type: RegExp, credential: string][] = [
  [/^n8n-nodes-chord\./, 'chordHeadlessApi'],
  [/^n8n-nodes-base\.emailSend$/, 'smtp'],
];

/** Reads a workflow of `examples/`, which names no credentials, and chooses them as a person would after importing it. */
export async function exampleWorkflow(name: string, credentials: Credentials): Promise<Workflow> {
  const file = path.join(projectRoot, 'examples', `${name}.json`);
  return withCredentials(JSON.parse(await readFile(file, 'utf8')) as Workflow, credentials);
}

/** The same workflow with the credentials that its nodes need. */
export function withCredentials(workflow: Workflow, credentials: Credentials): Workflow {
  const nodes = workflow.nodes.map((node) => {
    const wanted = NEEDS.find(([type]) => type.test(node.type))?.[1];
    const credential = wanted && credentials[wanted];
    return credential ? { ...node, credentials: { [wanted]: credential } } : node;
  });
  return { ...workflow, nodes };
}
