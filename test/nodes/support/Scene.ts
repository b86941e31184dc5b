import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialDataDecryptedObject, IDataObject, INode } from 'n8n-workflow';
import type { Step } from '../../../simulator/scenario/scenario';
import type { ProfileName } from '../../../simulator/wire/profile';
import { Engine, type Execution } from '../../support/Engine';
import { ChordProject } from './ChordProject';
import { chordNode, connect, itemsNode, type ChordNodeType } from './flow';
import { stubNodes } from './stubNodes';

/** The builds of Chord that the simulator plays. */
export const profiles: ProfileName[] = ['d1', 'd1-roles', 'd2', 'd2-receipts', 'd3'];

/** What a scene has that others have not. */
export interface SceneOptions {
  credential?: ICredentialDataDecryptedObject;
  /** Added to the credential's environment. */
  environment?: Record<string, string>;
  /** Of Chord's configuration, by name. */
  files?: Record<string, string>;
}

/** A project with a simulated Chord of one build, and n8n's engine with our nodes in it. */
export class Scene {
  private executions = 0;

  private sessions = 0;

  /** Each test has a session of its own, so that none meets the requests of another. */
  sessionName = 'default';

  /** Set by {@link begin}. */
  project!: ChordProject;

  engine!: Engine;

  /** A scene for one test; one for a whole group is made by {@link useScene}. */
  static async create(profile: ProfileName, steps: Step[], options: SceneOptions = {}): Promise<Scene> {
    const scene = new Scene();
    await scene.begin(profile, steps, options);
    return scene;
  }

  async begin(
    profile: ProfileName,
    steps: Step[],
    { credential = {}, environment = {}, files = {} }: SceneOptions,
  ): Promise<void> {
    const project = await ChordProject.create(steps, { ...environment, CHORD_SIMULATOR_PROFILE: profile });
    const configuration = path.join(project.directory, '../configuration');
    const settings = readFileSync(path.join(configuration, 'config.yaml'), 'utf8');
    const pools = 'model_pools:\n  thinking:\n    - scripted/scripted-1\n';
    writeFileSync(path.join(configuration, 'config.yaml'), settings.replace('model_pools:\n', pools));
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(configuration, name), content);
    writeFileSync(path.join(project.directory, 'plan.md'), '# Plan\n\n1. Do it.\n');
    const data = { ...project.credential, ...credential };
    this.project = project;
    this.engine = await Engine.load(stubNodes, { chordHeadlessApi: data });
  }

  nextSession(): void {
    this.sessions += 1;
    this.sessionName = `session-${this.sessions}`;
  }

  /** Runs one of our nodes on the given items, in an execution of its own. */
  async run(
    type: ChordNodeType,
    items: IDataObject[],
    parameters: IDataObject = {},
    more: Partial<INode> = {},
  ): Promise<Execution> {
    this.executions += 1;
    return await this.engine.execute(
      {
        nodes: [itemsNode('Start', items), chordNode('Node', type, parameters as never, more)],
        connections: connect('Start > Node'),
      },
      'Start',
      { executionId: String(this.executions) },
    );
  }

  /** Gives Chord a task. */
  async send(task: string, parameters: IDataObject = {}): Promise<Execution> {
    return await this.run('chordSend', [{ task }], {
      message: '={{ $json.task }}',
      sessionName: this.sessionName,
      ...parameters,
    });
  }

  /** Gives Chord a task that ends in a request, and gives the item of the request. */
  async ask(task: string): Promise<IDataObject & { request: IDataObject & { id: string } }> {
    const { items, error } = await this.send(task);
    const [item] = items('Node', 1);
    if (!item) throw new Error(`Chord asked nothing: ${error?.message ?? JSON.stringify(items('Node'))}`);
    return item.json as never;
  }

  /** Runs Chord Control in the session. */
  async control(
    operation: string,
    parameters: IDataObject = {},
    more: Partial<INode> = {},
  ): Promise<Execution> {
    return await this.run(
      'chordControl',
      [{ start: true }],
      { operation, sessionName: this.sessionName, ...parameters },
      more,
    );
  }
}

/** One scene for all tests of a group, with a session of its own for each of them. */
export const useScene = (profile: ProfileName, steps: Step[], options: SceneOptions = {}): Scene => {
  const scene = new Scene();
  beforeAll(() => scene.begin(profile, steps, options));
  beforeEach(() => scene.nextSession());
  return scene;
};

/** The code of the error that ended an execution. */
export const codeOf = ({ error }: Execution): unknown => error?.context.code;
