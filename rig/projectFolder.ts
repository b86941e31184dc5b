import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Problem } from './Problem';
import { runProgram } from './runProgram';

/**
 * Makes a small git project for an agent to work in, with a remote of its own next to it (`<folder>.git`) that lacks
 * the last commit, so that a push does something and leaves this machine in no case.
 */
export async function makeProject(folder: string): Promise<void> {
  const remote = `${folder}.git`;
  await mkdir(path.join(folder, 'src'), { recursive: true });
  await write(folder, 'README.md', '# Tea timer\n\nCounts down while the tea draws.\n');
  await write(folder, 'src/steep.mjs', 'export const minutes = { green: 3, black: 5 };\n');
  await git(folder, 'init', '--quiet', '--initial-branch', 'main');
  await git(folder, 'config', 'user.name', 'Demo');
  await git(folder, 'config', 'user.email', 'demo@example.com');
  await git(folder, 'config', 'commit.gpgsign', 'false');
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch', 'main', remote);
  await git(folder, 'remote', 'add', 'origin', remote);
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'Start the tea timer');
  await git(folder, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  await write(folder, 'src/steep.mjs', 'export const minutes = { green: 3, oolong: 4, black: 5 };\n');
  await git(folder, 'commit', '--quiet', '--all', '--message', 'Add oolong');
}

const write = (folder: string, name: string, text: string) => writeFile(path.join(folder, name), text);

async function git(cwd: string, ...args: string[]): Promise<void> {
  const result = await runProgram('git', args, { cwd, env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1' } });
  if (result.exitCode === 0) return;
  throw new Problem(
    `git ${args[0]} failed: ${result.all.trim()}`,
    'The demo’s small project needs git 2.28 or newer.',
  );
}
