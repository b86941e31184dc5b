import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IDataObject, INode } from 'n8n-workflow';
import { credential } from '../../nodes/support/bench';
import { chordNode, connect, itemsNode, type ChordNodeType } from '../../nodes/support/flow';
import { stubNodes } from '../../nodes/support/stubNodes';
import { LAB } from '../../simulator/support/lab';
import { Engine, type Execution } from '../../support/engine';
import { temporaryFolder } from '../../support/temporaryFolder';
import { realChord } from './sideBySide';

/** The real Chord with the lab's scripted model server, driven through our nodes in n8n's engine. */
export class LabChord {
  private executions = 0;

  private constructor(
    readonly engine: Engine,
    private readonly server: ChildProcess,
  ) {}

  /** @param scenario a name below the lab's `scenarios/` */
  static async start(scenario: string): Promise<LabChord> {
    const folder = join(temporaryFolder(), 'lab');
    mkdirSync(folder);
    const script = join(LAB, 'scenarios', `${scenario}.json`);
    const server = spawn(process.execPath, [join(LAB, 'mockllm.mjs'), '--scenario', script, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { port } = JSON.parse(line) as { port: number };
    execFileSync('bash', [join(LAB, 'setup.sh'), folder, String(port)]);
    const variables = Object.entries({ HOME: join(folder, 'home'), GIT_CONFIG_NOSYSTEM: '1' });
    const engine = await Engine.load(stubNodes, {
      chordHeadlessApi: {
        ...credential,
        command: realChord(),
        projectDirectory: join(folder, 'work'),
        allowLocalShell: true,
        environment: { variables: variables.map(([name, value]) => ({ name, value })) },
      },
    });
    return new LabChord(engine, server);
  }

  /** Runs one node on one item, in an execution of its own. */
  async run(type: ChordNodeType, item: IDataObject, parameters: IDataObject = {}): Promise<Execution> {
    this.executions += 1;
    const node: INode = chordNode('Node', type, parameters as never);
    return await this.engine.execute(
      { nodes: [itemsNode('Start', [item]), node], connections: connect('Start > Node') },
      'Start',
      { executionId: String(this.executions) },
    );
  }

  /** Gives Chord a task that ends in a request, and gives the request's item. */
  async ask(message: string): Promise<IDataObject & { request: IDataObject & { id: string } }> {
    const { items, error } = await this.run('chordSend', {}, { message });
    const [item] = items('Node', 1);
    if (!item) throw error ?? new Error(`Chord asked nothing: ${JSON.stringify(items('Node'))}`);
    return item.json as never;
  }

  stop(): void {
    this.server.kill();
  }
}
