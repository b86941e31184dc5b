import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LaunchSettings } from '../../../chord/process/LaunchSettings';
import { temporaryFolder } from '../../support/temporaryFolder';

/** What `hosts/starts.ts` prints. */
interface HostLine {
  pid?: number;
  code?: string;
  message?: string;
  description?: string;
}

/** A process that starts Chord, beside the one that runs the tests. */
export interface Host {
  process: ChildProcess;
  line: HostLine;
}

/** A folder that every user may enter. */
export function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** A plain program made of `hosts/starts.ts`; esbuild's own interface does not work inside jest. */
export function bundledHost(): string {
  const file = path.join(openFolder(), 'starts.cjs');
  const esbuild = path.join(path.dirname(require.resolve('esbuild/package.json')), 'bin', 'esbuild');
  const source = path.join(__dirname, '..', 'hosts', 'starts.ts');
  execFileSync(esbuild, [source, '--bundle', '--platform=node', `--outfile=${file}`, '--log-level=error']);
  chmodSync(file, 0o644);
  return file;
}

const hosts: ChildProcess[] = [];

afterEach(() => {
  for (const host of hosts.splice(0)) host.kill('SIGKILL');
});

/** A user that owns nothing, where we are root, to whom no permission says no. */
export const nobody: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Starts a bundled host and waits for its line. `before` are words of a command that starts it. */
export async function startHost(
  file: string,
  launch: { settings: LaunchSettings; directory: string },
  options: { before?: string[]; user?: typeof nobody } = {},
): Promise<Host> {
  const [command = '', ...args] = [...(options.before ?? []), process.execPath, file, JSON.stringify(launch)];
  const host = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options.user });
  hosts.push(host);
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
  return { process: host, line: JSON.parse(line) as HostLine };
}
