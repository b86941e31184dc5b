import path from 'node:path';

import { N8nServer } from '../../../rig/N8nServer';
import { closedAtEnd } from './leftovers';
import { sharedServer } from './sharedServer';

/**
 * Starts an n8n that only one test file uses, to be stopped and killed at will; it is stopped at the end of the file.
 *
 * @param name of its folder
 */
export async function startOwnServer(
  name: string,
  environment: Record<string, string> = {},
): Promise<N8nServer> {
  const { installed, tarball, folder } = sharedServer();
  const server = await N8nServer.start(installed, {
    userFolder: path.join(folder, name),
    tarball,
    environment,
  });
  closedAtEnd(() => server.stop());
  return server;
}
