import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { ChordRegistry } from '../../../chord/registry/contract';
import { writeChordConfiguration } from '../../../rig/chordConfiguration';
import type { RecordEntry } from '../../../simulator/record';
import type { Step } from '../../../simulator/scenario/scenario';
import { Engine, packageFolder } from '../../support/Engine';
import { temporaryFolder } from '../../support/temporaryFolder';
import { credential } from './bench';
import { stubNodes } from './stubNodes';

/** One tool call that the rules put at "ask": a harmless shell command. */
export const asks = (command: string) => ({
  tool_calls: [{ name: 'shell', args: { command, description: 'for a test' } }],
});

/** A project folder with a simulated Chord: real child processes, and a record of what they read. */
export class ChordProject {
  private readonly folder = temporaryFolder();

  readonly directory = path.join(this.folder, 'project');

  private readonly record = path.join(this.folder, 'record.jsonl');

  private constructor(private readonly environment: Record<string, string>) {}

  /** `steps` is what the model answers. */
  static async create(steps: Step[], environment: Record<string, string> = {}): Promise<ChordProject> {
    const project = new ChordProject(environment);
    mkdirSync(project.directory);
    writeFileSync(project.record, '');
    writeFileSync(path.join(project.folder, 'scenario.json'), JSON.stringify({ name: 'test', steps }));
    await writeChordConfiguration(path.join(project.folder, 'configuration'));
    return project;
  }

  get credential(): ICredentialDataDecryptedObject {
    const variables = {
      CHORD_CONFIG_HOME: path.join(this.folder, 'configuration'),
      CHORD_STATE_DIR: path.join(this.folder, 'state'),
      CHORD_SIMULATOR_SCENARIO: path.join(this.folder, 'scenario.json'),
      CHORD_SIMULATOR_RECORD: this.record,
      ...this.environment,
    };
    return {
      ...credential,
      command: path.join(packageFolder, 'build/simulator/chord'),
      projectDirectory: this.directory,
      environment: { variables: Object.entries(variables).map(([name, value]) => ({ name, value })) },
    };
  }

  /** n8n's engine, with this project in the credential of every node. */
  async engine(): Promise<Engine> {
    return await Engine.load(stubNodes, { chordHeadlessApi: this.credential });
  }

  /** What the simulator noted: every line that it read, and what it did. */
  recorded<Kind extends RecordEntry['kind']>(kind: Kind): Extract<RecordEntry, { kind: Kind }>[] {
    const entries = readFileSync(this.record, 'utf8').split('\n').filter(Boolean);
    return entries
      .map((line) => JSON.parse(line) as RecordEntry)
      .filter((entry): entry is Extract<RecordEntry, { kind: Kind }> => entry.kind === kind);
  }

  /** The commands of one type that Chord read, in order. */
  commands(type: string): Record<string, unknown>[] {
    return this.recorded('stdin')
      .map(({ line }) => JSON.parse(line) as Record<string, unknown>)
      .filter((command) => command.type === type);
  }
}

/** The registry that the built nodes share; absent until one of them was used. */
const sharedRegistry = () =>
  (globalThis as Record<symbol, { registry: ChordRegistry } | undefined>)[
    Symbol.for('n8n-nodes-chord.registry')
  ];

/** Ends every process that the test's nodes started. */
export const shutDownRegistry = async (): Promise<void> => {
  await sharedRegistry()?.registry.shutdown();
};
