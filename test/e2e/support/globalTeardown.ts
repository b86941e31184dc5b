import { ownedServer } from './sharedServer';

/** After the last e2e test: nothing is left of n8n and of its agents; their files go when this process ends. */
export default async function tearDown(): Promise<void> {
  await ownedServer()?.server.stop();
}
