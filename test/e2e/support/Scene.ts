import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writeChordConfiguration } from '../../../rig/chordConfiguration';
import { withCredentials } from '../../../rig/exampleWorkflow';
import { Mailbox, type Mail } from '../../../rig/Mailbox';
import { N8nClient, type StoredWorkflow } from '../../../rig/N8nClient';
import type { Execution, ExecutionSummary } from '../../../rig/n8nExecution';
import { executionReport } from '../../../rig/executionReport';
import { formLinkOf, formReady } from '../../../rig/n8nWait';
import { openForm, submitForm } from '../../../rig/n8nForm';
import type { Workflow } from '../../../rig/n8nWorkflowFile';
import { makeProject } from '../../../rig/projectFolder';
import { projectRoot } from '../../../rig/projectRoot';
import { until } from '../../support/until';
import { closedAtEnd } from './leftovers';
import { sharedServer } from './sharedServer';

/** What the simulated model answers; see the scenario files of the simulator. */
export interface Scenario {
  name?: string;
  steps: object[];
  /** Only the next step that is not used up may answer. */
  ordered?: boolean;
}

/** An execution that is over or that waits. */
const settled = (execution: ExecutionSummary) => !['new', 'running'].includes(execution.status);

/**
 * One test's part of the shared n8n: a mailbox, a project folder with a simulated agent of its own, credentials for
 * both, and the workflows of the test, which are deactivated and deleted at its end.
 */
export class Scene {
  readonly #workflows: StoredWorkflow[] = [];

  /** Closes the mailbox and takes the workflows away. */
  readonly close = closedAtEnd(() => this.#close());

  private constructor(
    readonly client: N8nClient,
    readonly mailbox: Mailbox,
    readonly folder: string,
    readonly credentials: Record<string, { id: string; name: string }>,
    readonly credentialData: Record<string, unknown>,
  ) {}

  /** Makes everything ready; `scenario` is what the agent's model will answer. */
  static async open(scenario: Scenario, client?: N8nClient): Promise<Scene> {
    const n8n = client ?? new N8nClient(sharedServer().url);
    if (!client) await n8n.logIn();
    const name = randomUUID().slice(0, 8);
    const folder = path.join(sharedServer().folder, 'scenes', name);
    const configuration = path.join(folder, 'chord-config');
    const scenarioFile = path.join(folder, 'scenario.json');
    await mkdir(folder, { recursive: true });
    await makeProject(path.join(folder, 'project'));
    await writeChordConfiguration(configuration);
    await writeFile(scenarioFile, JSON.stringify({ name, ...scenario }));
    const environment = {
      CHORD_CONFIG_HOME: configuration,
      CHORD_STATE_DIR: path.join(folder, 'chord-state'),
      CHORD_SIMULATOR_SCENARIO: scenarioFile,
    };
    const credentialData = {
      command: process.execPath,
      commandArguments: path.join(projectRoot, 'build', 'simulator', 'chord'),
      projectDirectory: path.join(folder, 'project'),
      environment: { variables: Object.entries(environment).map(([key, value]) => ({ name: key, value })) },
    };
    const credentials: Scene['credentials'] = {};
    const scene = new Scene(n8n, await Mailbox.open(), folder, credentials, credentialData);
    credentials.chordHeadlessApi = await n8n.createCredential(
      `Chord ${name}`,
      'chordHeadlessApi',
      credentialData,
    );
    credentials.smtp = await n8n.createCredential(`Mailbox ${name}`, 'smtp', scene.mailbox.smtpCredential);
    return scene;
  }

  get project(): string {
    return path.join(this.folder, 'project');
  }

  /** Stores a workflow with the credentials that its nodes need. */
  async create(workflow: Workflow): Promise<StoredWorkflow> {
    const stored = await this.client.createWorkflow(withCredentials(workflow, this.credentials));
    this.#workflows.push(stored);
    return stored;
  }

  /** Stores a workflow and waits until its triggers run. */
  async activate(workflow: Workflow): Promise<StoredWorkflow> {
    const stored = await this.create(workflow);
    await this.client.activate(stored);
    return stored;
  }

  /** The first mail that fits, once its form can be opened; if none comes, the error says what n8n did meanwhile. */
  async mail(fits: (mail: Mail) => boolean): Promise<Mail> {
    try {
      const mail = await this.mailbox.waitFor(fits);
      const link = formLinkOf(mail.links);
      if (link) await formReady(this.client, link);
      return mail;
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await this.#report()}`, { cause: error });
    }
  }

  /** What became of this scene's executions. */
  #report(): Promise<string> {
    return executionReport(
      this.client,
      this.#workflows.map(({ id }) => id),
    );
  }

  /** Answers the form behind a mail, by the labels of its fields. */
  async answer(mail: Mail, answers: Record<string, string | string[]>): Promise<void> {
    try {
      await submitForm(await openForm(formLink(mail)), answers);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await this.#report()}`, { cause: error });
    }
  }

  /** The newest execution of a workflow once it has ended; an error if it waits or fails otherwise than expected. */
  async finished(
    workflow: StoredWorkflow,
    status: ExecutionSummary['status'] = 'success',
    count = 1,
  ): Promise<Execution> {
    const [newest] = await until(async () => {
      const executions = await this.client.executions({ workflowId: workflow.id });
      const over =
        executions.length >= count && executions.every(settled) && executions[0]?.status !== 'waiting';
      return over ? executions : undefined;
    }, `${workflow.name} has ended ${count} times`).catch(async (error: unknown) => {
      throw new Error(`${(error as Error).message}\n${await this.#report()}`);
    });
    const execution = await this.client.execution(newest?.id ?? '');
    if (execution.status !== status) {
      throw new Error(`The execution ended with ${execution.status}: ${execution.error?.message ?? ''}`);
    }
    return execution;
  }

  async #close(): Promise<void> {
    await this.mailbox.close();
    // A test may have stopped its own n8n, and then there is nothing to take away.
    if (!(await this.client.restReady())) return;
    for (const { id } of this.#workflows) {
      await this.client.deactivate(id).catch(() => undefined);
      for (const { id: execution, status } of await this.client.executions({ workflowId: id })) {
        if (['running', 'waiting'].includes(status))
          await this.client.stopExecution(execution).catch(() => undefined);
      }
      await this.client.deleteWorkflow(id);
    }
  }
}

/** The link in a mail that opens n8n's form. */
export function formLink(mail: Mail): string {
  const link = formLinkOf(mail.links);
  if (!link) throw new Error(`The mail "${mail.subject}" links to no form.`);
  return link;
}
