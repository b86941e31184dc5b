// Plain JavaScript: it runs before anything is installed.

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The oldest Node that runs this project: n8n 1 and 2 name it too. */
const OLDEST_NODE = [20, 19];

/** When a file was last written, in milliseconds; 0 if there is none. */
const written = (name) => (existsSync(path.join(root, name)) ? statSync(path.join(root, name)).mtimeMs : 0);

/** Runs the npm of the person who started us, in this project's folder and with its terminal. */
export function npm(...args) {
  const script = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  return spawnSync(script ? process.execPath : 'npm', script ? [script, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is no program there.
    shell: process.platform === 'win32' && !script,
  });
}

/**
 * Makes sure that the development dependencies are there, as the lock file says, so that every command works in a
 * fresh clone. Ends the process with the reason if that cannot be.
 */
export function ensureDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    console.error(`This needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  // npm writes this file last, so an interrupted installation has none.
  const installed = written('node_modules/.package-lock.json');
  if (installed && installed >= written('package-lock.json')) return;
  const command = installed ? 'install' : 'ci';
  console.log(`Installing the development dependencies (npm ${command}, about a minute) …`);
  const result = npm(command, '--no-audit', '--no-fund', '--loglevel=error');
  if (result.status === 0) return;
  console.error(
    `npm ${command} failed${result.error ? `: ${result.error.message}` : ''}. Check that the npm registry is reachable.`,
  );
  process.exit(1);
}
