import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { writeChordConfiguration } from '../rig/chordConfiguration';
import { Problem } from '../rig/Problem';
import { makeProject } from '../rig/projectFolder';
import { projectRoot } from '../rig/projectRoot';
import { demonstration } from '../simulator/scenario/demonstration';

/** The agent that the demo drives, and what n8n's credential says about it. */
export interface DemoAgent {
  /** One line for the person who watches. */
  description: string;
  /** The data of the credential `chordHeadlessApi`. */
  credential: Record<string, unknown>;
  /** Whether its answers follow the demo's scenario, so that `--once` knows what comes. */
  scripted: boolean;
  close(): Promise<void>;
}

/**
 * Prepares the agent: the simulator; or, with CHORD_BIN set, the real Chord, with a scripted model server in place of a
 * model unless CHORD_CONFIG_HOME names a configuration of the person's own.
 */
export async function prepareAgent(folder: string): Promise<DemoAgent> {
  const project = path.join(folder, 'tea-timer');
  const configuration = path.join(folder, 'chord', 'config');
  const state = path.join(folder, 'chord', 'state');
  await makeProject(project);
  const binary = process.env.CHORD_BIN;
  if (!binary) {
    await writeChordConfiguration(configuration);
    const simulator = path.join(projectRoot, 'build', 'simulator', 'chord');
    return {
      description: 'a simulator of Chord with scripted answers (set CHORD_BIN to use the real one)',
      credential: credential([process.execPath, simulator], project, {
        CHORD_CONFIG_HOME: configuration,
        CHORD_STATE_DIR: state,
      }),
      scripted: true,
      close: async () => undefined,
    };
  }
  await access(binary, constants.X_OK).catch(() => {
    throw new Problem(
      `CHORD_BIN is ${binary}, which is not a program that can be run.`,
      'Set it to the chord binary.',
    );
  });
  if (process.env.CHORD_CONFIG_HOME) {
    return {
      description: `${binary} with your own configuration in ${process.env.CHORD_CONFIG_HOME}: its model does the work, at your cost`,
      credential: credential([binary], project, {
        CHORD_CONFIG_HOME: process.env.CHORD_CONFIG_HOME,
        CHORD_STATE_DIR: state,
      }),
      scripted: false,
      close: async () => undefined,
    };
  }
  const model = await startModelServer();
  await writeChordConfiguration(configuration, model.endpoint);
  return {
    description: `${binary} with a scripted model server: no account, no cost`,
    credential: credential([binary], project, { CHORD_CONFIG_HOME: configuration, CHORD_STATE_DIR: state }),
    scripted: true,
    close: () => model.close(),
  };
}

function credential(program: [string, ...string[]], project: string, environment: Record<string, string>) {
  const [command, ...commandArguments] = program;
  return {
    command,
    commandArguments: commandArguments.join('\n'),
    projectDirectory: project,
    environment: { variables: Object.entries(environment).map(([name, value]) => ({ name, value })) },
  };
}

interface ModelServer {
  /** The whole address that Chord's configuration names. */
  endpoint: string;
  close(): Promise<void>;
}

/** The lab's model server, which answers as the model of the simulator's built-in scenario does. */
async function startModelServer(): Promise<ModelServer> {
  const file = path.join(projectRoot, 'test', 'chord', 'lab', 'mockllm.mjs');
  const { startMock } = (await import(pathToFileURL(file).href)) as {
    startMock: (options: { scenario: unknown }) => Promise<ModelServer>;
  };
  return startMock({ scenario: demonstration });
}
