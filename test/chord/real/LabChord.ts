import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import { credential } from '../../nodes/support/bench';
import { shutDownRegistry } from '../../nodes/support/ChordProject';
import { chordNode, connect, itemsNode, type ChordNodeType } from '../../nodes/support/flow';
import { stubNodes } from '../../nodes/support/stubNodes';
import { LAB } from '../../simulator/support/lab';
import { Engine, type Execution, type Flow } from '../../support/Engine';
import { temporaryFolder } from '../../support/temporaryFolder';
import { realChord } from './sideBySide';

/** The real Chord with the lab's scripted model server, driven through our nodes in n8n's engine. */
export class LabChord {
  private executions = 0;

  private constructor(
    readonly engine: Engine,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** @param scenario a name below the lab's `scenarios/`, or what the model answers */
  static async start(scenario: string | Step[]): Promise<LabChord> {
    const folder = join(temporaryFolder(), 'lab');
    mkdirSync(folder);
    const script = scriptOf(scenario, folder);
    const server = spawn(
      process.execPath,
      [join(LAB, 'mockllm.mjs'), '--scenario', script, '--port', '0', '--quiet'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { port } = JSON.parse(line) as { port: number };
    execFileSync('bash', [join(LAB, 'setup.sh'), folder, String(port)]);
    const variables = Object.entries({ HOME: join(folder, 'home'), GIT_CONFIG_NOSYSTEM: '1' });
    const engine = await Engine.load(stubNodes, {
      chordHeadlessApi: {
        ...credential,
        command: realChord(),
        projectDirectory: join(folder, 'work'),
        allowedDirectories: folder,
        allowLocalShell: true,
        environment: { variables: variables.map(([name, value]) => ({ name, value })) },
      },
    });
    return new LabChord(engine, folder, server);
  }

  /** Runs one node on one item, in an execution of its own. */
  async run(type: ChordNodeType, item: IDataObject, parameters: IDataObject = {}): Promise<Execution> {
    const node: INode = chordNode('Node', type, parameters as never);
    return await this.execute({
      nodes: [itemsNode('Start', [item]), node],
      connections: connect('Start > Node'),
    });
  }

  /** Runs a workflow that begins at "Start", in an execution of its own. */
  async execute(flow: Flow): Promise<Execution> {
    this.executions += 1;
    return await this.engine.execute(flow, 'Start', { executionId: String(this.executions) });
  }

  /** Gives Chord a task that ends in a request, and gives the request's item. */
  async ask(
    message: string,
    parameters: IDataObject = {},
  ): Promise<IDataObject & { request: IDataObject & { id: string } }> {
    const { items, error } = await this.run('chordSend', {}, { message, ...parameters });
    const [item] = items('Node', 1);
    if (!item) throw error ?? new Error(`Chord asked nothing: ${JSON.stringify(items('Node'))}`);
    return item.json as never;
  }

  /** The requests that wait for a decision now, as Chord Status tells. */
  async open(parameters: IDataObject = {}): Promise<string[]> {
    const { open_requests: requests } = finished(await this.run('chordStatus', { on: true }, parameters));
    return (requests as { id: string }[]).map(({ id }) => id);
  }

  /** What stands in a file of the project; nothing where there is none. */
  file(name: string): string | undefined {
    const path = join(this.folder, 'work', name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** Whether the agent's `git tag` was really run. */
  tagged(name: string, project = 'work'): boolean {
    return existsSync(join(this.folder, project, '.git/refs/tags', name));
  }

  /** The messages of the project's commits, the newest first. */
  commits(): string[] {
    const log = execFileSync('git', ['log', '--format=%s'], {
      cwd: join(this.folder, 'work'),
      encoding: 'utf8',
    });
    return log.trim().split('\n');
  }

  /** Makes a second project, as the first one was before the agent touched it, and gives its folder. */
  secondProject(): string {
    const folder = join(this.folder, 'second');
    cpSync(join(this.folder, 'work'), folder, {
      recursive: true,
      filter: (path) => !path.endsWith('.chord'),
    });
    return folder;
  }

  stop(): void {
    this.server.kill();
  }
}

function scriptOf(scenario: string | Step[], folder: string): string {
  if (typeof scenario === 'string') return join(LAB, 'scenarios', `${scenario}.json`);
  const script = join(folder, 'scenario.json');
  writeFileSync(script, JSON.stringify({ name: 'test', steps: scenario }));
  return script;
}

/** What left "Finished"; an error is thrown, so that the test shows it. */
export const finished = ({ items, error }: Execution): IDataObject => {
  if (error) throw error;
  return items('Node')[0]?.json ?? {};
};

/** The lab for each test of a file: started by the test, ended after it. */
export const useLab = () => {
  let lab: LabChord | undefined;
  afterEach(() => lab?.stop());
  afterAll(shutDownRegistry);
  return async (scenario: string | Step[]): Promise<LabChord> => (lab = await LabChord.start(scenario));
};
