import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { installedChromium } from '../../../rig/installChromium';
import { installedN8n } from '../../../rig/installN8n';
import { N8nServer } from '../../../rig/N8nServer';
import { packPackage } from '../../../rig/pack';
import { describeProblem } from '../../../rig/Problem';
import { printProgress } from '../../../rig/progress';
import { shareServer } from './sharedServer';

/** Before the first e2e test: the package packed as published, and one n8n with it for all the files. */
export default async function setUp(): Promise<void> {
  // A signal ends a process without its `exit` event, in which everything that was started is stopped.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const progress = printProgress(process.stderr as NodeJS.WriteStream);
  try {
    const chromium = await installedChromium(progress);
    const installed = await installedN8n(process.env.E2E_N8N_VERSION, progress);
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'chord-e2e-')));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const tarball = await packPackage(path.join(folder, 'package'));
    const server = await progress.during(`Start n8n ${installed.release.version} for the tests`, () =>
      N8nServer.start(installed, { userFolder: path.join(folder, 'n8n'), tarball }),
    );
    shareServer({ server, folder, tarball, installed, chromium });
  } catch (error) {
    throw new Error(describeProblem(error));
  }
}
