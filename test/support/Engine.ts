import './n8nEnvironment';
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  ExecutionLifecycleHooks,
  LoadOptionsContext,
  PackageDirectoryLoader,
  TriggerContext,
  WorkflowExecute,
} from 'n8n-core';
import {
  NodeHelpers,
  Workflow,
  type ExecutionError,
  type IConnections,
  type ICredentialDataDecryptedObject,
  type ICredentialTestFunctions,
  type INode,
  type INodeCredentialTestResult,
  type INodeExecutionData,
  type INodeListSearchItems,
  type INodeType,
  type INodeTypes,
  type IPinData,
  type IRun,
  type ITaskData,
  type ITriggerResponse,
  type IWorkflowExecuteAdditionalData,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { TestCredentials } from './TestCredentials';

/** The repository's root, where n8n's loader finds `package.json` and, through it, `dist/`. */
export const packageFolder = path.resolve(__dirname, '../..');

/** A workflow for a test. */
export interface Flow {
  nodes: INode[];
  connections?: IConnections;
}

/** What one execution gave. */
export interface Execution {
  run: IRun;
  /** The runs of a node, in order. */
  runsOf: (node: string) => ITaskData[];
  /** The items of one output in one run; empty where there are none. */
  items: (node: string, output?: number, run?: number) => INodeExecutionData[];
  /** The error that ended the execution. */
  error: ExecutionError | undefined;
}

/** How an execution is run. */
export interface ExecutionOptions {
  executionId?: string;
  mode?: WorkflowExecuteMode;
  /** What the user pinned, by node. */
  pinData?: IPinData;
  /** Called with the function that stops the execution, as n8n's Stop button does. */
  onStart?: (stop: () => void) => void;
}

/** An activated trigger. */
export interface ActiveTrigger {
  emitted: INodeExecutionData[];
  failures: Error[];
  response: ITriggerResponse;
}

/** n8n's real loader and execution engine with our built package, and stub nodes for what is around it. */
export class Engine {
  private constructor(
    private readonly loader: PackageDirectoryLoader,
    private readonly stubs: Record<string, INodeType>,
    readonly credentials: Record<string, ICredentialDataDecryptedObject>,
  ) {}

  /** Loads the package; `credentials` is what every node of the test gets, by credential type. */
  static async load(
    stubs: Record<string, INodeType>,
    credentials: Record<string, ICredentialDataDecryptedObject>,
  ): Promise<Engine> {
    const loader = new PackageDirectoryLoader(packageFolder);
    await loader.loadAll();
    return new Engine(loader, stubs, credentials);
  }

  /** Every node and credential that the loader found, as n8n's editor gets them. */
  get types() {
    return this.loader.types;
  }

  /** n8n makes the tool variant of a node under its name with `Tool` behind; the code is the same. */
  nodeType(type: string): INodeType {
    const name = type.slice(type.lastIndexOf('.') + 1).replace(/Tool$/, '');
    return this.stubs[type] ?? (this.loader.getNode(name).type as INodeType);
  }

  async execute(flow: Flow, start: string, options: ExecutionOptions = {}): Promise<Execution> {
    const { executionId = '1', mode = 'manual', pinData, onStart } = options;
    const workflow = this.workflow(flow, pinData);
    const running = new WorkflowExecute(this.additionalData(flow, mode, executionId), mode).run({
      workflow,
      startNode: workflow.getNode(start) ?? undefined,
      pinData,
    });
    onStart?.(() => running.cancel());
    const run = await running;
    const { runData, error } = run.data.resultData;
    return {
      run,
      runsOf: (node) => runData[node] ?? [],
      items: (node, output = 0, index = 0) => runData[node]?.[index]?.data?.main?.[output] ?? [],
      error,
    };
  }

  /** Activates a trigger as n8n does in production, or begins a manual test of it. */
  async activate(node: INode, mode: 'trigger' | 'manual' = 'trigger'): Promise<ActiveTrigger> {
    const flow = { nodes: [node] };
    const emitted: INodeExecutionData[] = [];
    const failures: Error[] = [];
    const context = new TriggerContext(
      this.workflow(flow),
      node,
      this.additionalData(flow, mode, ''),
      mode,
      mode === 'manual' ? 'manual' : 'activate',
      (data) => void emitted.push(...data.flat()),
      undefined,
      (error) => void failures.push(error),
    );
    const response = await this.nodeType(node.type).trigger?.call(context);
    if (!response) throw new Error(`${node.type} is no trigger`);
    return { emitted, failures, response };
  }

  /** Asks a node for a list, as n8n's editor does for a parameter that is chosen from one. */
  async search(node: INode, method: string, filter?: string): Promise<INodeListSearchItems[]> {
    const flow = { nodes: [node] };
    const additional = this.additionalData(flow, 'internal', '');
    const context = new LoadOptionsContext(this.workflow(flow), node, additional, '');
    const search = this.nodeType(node.type).methods?.listSearch?.[method];
    if (!search) throw new Error(`${node.type} has no list ${method}`);
    return (await search.call(context, filter)).results;
  }

  /** Runs a credential's test as n8n's editor does. */
  async testCredential(data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
    const { methods } = this.nodeType('chordSend');
    const test = methods?.credentialTest?.chordConnectionTest;
    if (!test) throw new Error('The node has no credential test');
    const decrypted = { id: '1', name: 'Chord', type: 'chordHeadlessApi', data };
    return await test.call({} as ICredentialTestFunctions, decrypted);
  }

  private workflow({ nodes, connections = {} }: Flow, pinData?: IPinData): Workflow {
    const find = (type: string) => this.nodeType(type);
    const nodeTypes: INodeTypes = {
      getByName: find,
      getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(find(type), version),
      getKnownTypes: () => ({}),
    };
    return new Workflow({
      id: 'workflow-1',
      name: 'Test',
      nodes,
      connections,
      active: false,
      nodeTypes,
      pinData,
      settings: { executionOrder: 'v1' },
    });
  }

  private additionalData(flow: Flow, mode: WorkflowExecuteMode, executionId: string) {
    const { nodes, connections = {} } = flow;
    const data = { id: 'workflow-1', name: 'Test', active: false, isArchived: false, nodes, connections };
    const hooks = new ExecutionLifecycleHooks(mode, executionId, {
      ...data,
      settings: {},
      createdAt: new Date(),
      updatedAt: new Date(),
      activeVersionId: null,
    });
    const additional: Partial<IWorkflowExecuteAdditionalData> = {
      hooks,
      executionId,
      credentialsHelper: new TestCredentials(this.credentials),
      restApiUrl: 'http://localhost/rest',
      instanceBaseUrl: 'http://localhost/',
      webhookBaseUrl: 'http://localhost/webhook',
      webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
      webhookTestBaseUrl: 'http://localhost/webhook-test',
      formWaitingBaseUrl: 'http://localhost/form-waiting',
      variables: {},
      setExecutionStatus: () => undefined,
      sendDataToUI: () => undefined,
      logAiEvent: () => undefined,
    };
    return additional as IWorkflowExecuteAdditionalData;
  }
}

afterAll(() => {
  rmSync(process.env.N8N_USER_FOLDER ?? '', { recursive: true, force: true, maxRetries: 10 });
});
