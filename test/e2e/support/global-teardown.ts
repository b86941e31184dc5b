import { rm } from 'node:fs/promises';

import { ownedServer } from './shared-server';

/** After the last e2e test: nothing is left of n8n, of its agents, or of its files. */
export default async function tearDown(): Promise<void> {
  const owned = ownedServer();
  await owned?.server.stop();
  if (owned) await rm(owned.folder, { recursive: true, force: true, maxRetries: 5 });
}
