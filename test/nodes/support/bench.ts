import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Engine } from '../../support/Engine';
import { FakeRegistry } from './FakeRegistry';
import type { FakeSession } from './FakeSession';
import { stubNodes } from './stubNodes';

/** The credential of every node in these tests. */
export const credential: ICredentialDataDecryptedObject = {
  command: 'chord',
  commandArguments: '',
  runsElsewhere: false,
  commandQuotes: false,
  projectDirectory: '/project',
  allowedDirectories: '',
  environment: {},
  allowLocalShell: false,
  startTimeoutSeconds: 60,
  idleTimeoutMinutes: 30,
  restartOnCrash: true,
};

/** The key that the fake registry gives the session of {@link credential}. */
export const sessionKey = 'default:/project';

/** The engine with stub nodes, and a fresh fake registry for each test. */
export const useBench = () => {
  const bench = {
    /** The session of {@link credential}. */
    session: (): FakeSession => bench.registry.session(sessionKey),
  } as { engine: Engine; registry: FakeRegistry; session: () => FakeSession };
  beforeAll(async () => {
    bench.engine = await Engine.load(stubNodes, { chordHeadlessApi: credential });
  });
  beforeEach(() => {
    bench.registry = new FakeRegistry();
    bench.registry.install();
  });
  return bench;
};
