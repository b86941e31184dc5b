import type { InstalledChromium } from '../../../rig/installChromium';
import type { InstalledN8n } from '../../../rig/installN8n';
import type { N8nServer } from '../../../rig/N8nServer';

/** The n8n that all e2e test files use, as its owner holds it. */
export interface OwnedServer {
  server: N8nServer;
  /** Everything of this run lies below it. */
  folder: string;
  tarball: string;
  installed: InstalledN8n;
  chromium: InstalledChromium;
}

/** What a test file knows of it: jest gives each file a world of its own, so only text gets through. */
export interface SharedServer {
  url: string;
  logFile: string;
  folder: string;
  tarball: string;
  installed: InstalledN8n;
  chromium: InstalledChromium;
}

const VARIABLE = 'E2E_SHARED_SERVER';
const holder = globalThis as { e2eServer?: OwnedServer };

/** Makes the server known to the test files and to the tear-down. */
export function shareServer(owned: OwnedServer): void {
  holder.e2eServer = owned;
  const { server, ...rest } = owned;
  const shared: SharedServer = { url: server.url, logFile: server.logFile, ...rest };
  process.env[VARIABLE] = JSON.stringify(shared);
}

/** The server itself, in the process that started it. */
export function ownedServer(): OwnedServer | undefined {
  return holder.e2eServer;
}

/** What a test file needs to use it. */
export function sharedServer(): SharedServer {
  const shared = process.env[VARIABLE];
  if (!shared) throw new Error('No n8n runs for the tests: start them with npm run test:e2e');
  return JSON.parse(shared) as SharedServer;
}
