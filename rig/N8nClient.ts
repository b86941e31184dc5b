import { setTimeout as sleep } from 'node:timers/promises';

import { readExecution, type Execution, type ExecutionSummary } from './n8nExecution';
import type { Workflow } from './n8nWorkflowFile';

/** The owner of every throw-away n8n; printed by the demo, since a person logs in with it. */
export const OWNER = {
  email: 'demo@example.com',
  password: 'ChordDemo1',
  firstName: 'Demo',
  lastName: 'Owner',
};

/** n8n publishes a workflow some time after it said yes; this long is waited for it, in milliseconds. */
const PUBLISH_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** An answer of n8n's REST interface that is not a success. */
export class N8nRequestError extends Error {
  constructor(
    readonly status: number,
    readonly method: string,
    readonly path: string,
    readonly body: string,
  ) {
    super(`${method} ${path} answered ${status}: ${body.slice(0, 500)}`);
    this.name = 'N8nRequestError';
  }
}

/** A workflow as n8n stores it. */
export interface StoredWorkflow extends Workflow {
  id: string;
  versionId: string;
  active: boolean;
}

/** What the editor shows of a credential test. */
export interface CredentialTest {
  status: 'OK' | 'Error';
  message: string;
}

/** n8n's internal REST interface, as the editor uses it: it can do more than the public one and needs no API key. */
export class N8nClient {
  #cookie = '';

  constructor(readonly url: string) {}

  /** Whether n8n has loaded its nodes and answers the editor. */
  async restReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/rest/settings`).catch(() => undefined);
    const text = (await answer?.text()) ?? '';
    return answer?.ok === true && text.startsWith('{');
  }

  /** Makes the owner if there is none, and logs in. */
  async logIn(): Promise<void> {
    await this.request('POST', '/owner/setup', OWNER).catch((error: unknown) => {
      if (!(error instanceof N8nRequestError)) throw error;
    });
    await this.request('POST', '/login', {
      emailOrLdapLoginId: OWNER.email,
      email: OWNER.email,
      password: OWNER.password,
    });
  }

  /** One request below `/rest`; gives the `data` of the answer. */
  async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url}/rest${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        // The login cookie is bound to it.
        'browser-id': 'rig',
        ...(this.#cookie && { cookie: this.#cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      if (cookie.startsWith('n8n-auth=')) this.#cookie = cookie.split(';')[0] ?? '';
    }
    const text = await answer.text();
    if (!answer.ok) throw new N8nRequestError(answer.status, method, path, text);
    return (text ? (JSON.parse(text) as { data: T }).data : undefined) as T;
  }

  /** Who logs in. */
  get owner() {
    return OWNER;
  }

  createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
    // n8n 1 wants `active` in it, and takes nothing but false.
    return this.request('POST', '/workflows', { settings: {}, ...workflow, active: false });
  }

  workflow(id: string): Promise<StoredWorkflow> {
    return this.request('GET', `/workflows/${id}`);
  }

  /** Activates a workflow and waits until its triggers really run. */
  activate({ id, versionId }: StoredWorkflow): Promise<void> {
    return unlessMissing(
      async () => {
        await this.request('POST', `/workflows/${id}/activate`, { versionId });
        await this.#publication(id, 'published');
      },
      () => this.request('PATCH', `/workflows/${id}`, { active: true, versionId }),
    );
  }

  /** Deactivates a workflow; its triggers are closed when this is done. */
  deactivate(id: string): Promise<void> {
    return unlessMissing(
      async () => {
        await this.request('POST', `/workflows/${id}/deactivate`, {});
        await this.#publication(id, 'not_published');
      },
      async () => {
        const { versionId } = await this.workflow(id);
        await this.request('PATCH', `/workflows/${id}`, { active: false, versionId });
      },
    );
  }

  /** Deletes a workflow; n8n wants it archived first. */
  async deleteWorkflow(id: string): Promise<void> {
    await this.request('POST', `/workflows/${id}/archive`, {});
    await this.request('DELETE', `/workflows/${id}`);
  }

  /** What n8n says about the triggers of an activated workflow: its own words, for assertions. */
  publicationStatus(id: string): Promise<{ status: string; [key: string]: unknown }> {
    return this.request('GET', `/workflows/${id}/publication-status`);
  }

  async createCredential(name: string, type: string, data: object): Promise<{ id: string; name: string }> {
    const { id } = await this.request<{ id: string }>('POST', '/credentials', { name, type, data });
    return { id, name };
  }

  /** Runs the test of a credential as the editor does when it is opened. */
  testCredential(id: string, name: string, type: string, data: object): Promise<CredentialTest> {
    return this.request('POST', '/credentials/test', { credentials: { id, name, type, data } });
  }

  /** Executions, newest first. */
  async executions(filter: { workflowId?: string; status?: string[] } = {}): Promise<ExecutionSummary[]> {
    const query = new URLSearchParams({ limit: '100', filter: JSON.stringify(filter) });
    return (await this.request<{ results: ExecutionSummary[] }>('GET', `/executions?${query.toString()}`))
      .results;
  }

  /** One execution with what each node put out. */
  async execution(id: string): Promise<Execution> {
    return readExecution(await this.request('GET', `/executions/${id}`));
  }

  stopExecution(id: string): Promise<unknown> {
    return this.request('POST', `/executions/${id}/stop`);
  }

  /** Runs a workflow by hand from one of its triggers, as the editor's button does; gives the execution's id. */
  async run(workflow: StoredWorkflow, trigger: string): Promise<string> {
    const { executionId } = await this.request<{ executionId: string }>(
      'POST',
      `/workflows/${workflow.id}/run`,
      {
        workflowData: workflow,
        triggerToStartFrom: { name: trigger },
      },
    );
    return executionId;
  }

  /** Starts an active workflow at its Webhook node, as another program does. */
  callWebhook(address: string, body: object = {}): Promise<Response> {
    return fetch(`${this.url}/webhook/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** The node types that n8n has loaded, as the editor gets them. */
  async nodeTypes(): Promise<(Record<string, unknown> & { name: string })[]> {
    const answer = await fetch(`${this.url}/types/nodes.json`, { headers: { cookie: this.#cookie } });
    return (await answer.json()) as (Record<string, unknown> & { name: string })[];
  }

  /** n8n says yes at once and does the work afterwards; this waits for the work. */
  async #publication(id: string, wanted: 'published' | 'not_published'): Promise<void> {
    const deadline = Date.now() + PUBLISH_LIMIT_MS;
    let last: { status: string } | undefined;
    while (Date.now() < deadline) {
      last = await this.publicationStatus(id);
      if (last.status === wanted) return;
      if (last.status === 'partial' || last.status === 'failed') break;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`Workflow ${id} is not ${wanted}: ${JSON.stringify(last)}`);
  }
}

/** The way of n8n 2, or that of n8n 1, which lacks an address of it and answers when the work is done. */
async function unlessMissing(n8n2: () => Promise<unknown>, n8n1: () => Promise<unknown>): Promise<void> {
  try {
    await n8n2();
  } catch (error) {
    if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
    await n8n1();
  }
}
