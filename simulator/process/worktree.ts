import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonical, stateDir, type Environment } from '../disk/locations';

/** A worktree as `ready` tells it. */
export interface Worktree {
  name: string;
  branch: string;
  path: string;
  repo_root: string;
}

/** Not measured: which names Chord makes up for a worktree without one. */
const WORDS = ['amber', 'brisk', 'calm', 'deft', 'early', 'fond', 'grand', 'honest'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

function rootOf(directory: string): string {
  try {
    return canonical(dirname(git(directory, 'rev-parse', '--path-format=absolute', '--git-common-dir')));
  } catch {
    throw new Error(`not a git repository: ${directory}`);
  }
}

/** The texts of Chord, as measured. */
function checkName(name: string): void {
  const forbidden = /[^a-zA-Z0-9._-]/.exec(name)?.[0];
  if (forbidden !== undefined) {
    throw new Error(
      `worktree name ${JSON.stringify(name)} contains forbidden character ${JSON.stringify(forbidden)}`,
    );
  }
}

/** The commit that a worktree begins with; git's own words, as Chord passes them on, where there is none. */
function baseOf(root: string, branch: string, path: string): string {
  try {
    return git(root, 'rev-parse', 'HEAD').slice(0, 12);
  } catch {
    throw new Error(
      `git worktree add -B ${branch} ${path} HEAD: Preparing worktree (new branch '${branch}')\nfatal: not a valid object name: 'HEAD'`,
    );
  }
}

/**
 * Enters the worktree of that name, or makes it; tells on stderr which.
 *
 * Not measured: the words for a detached HEAD and for uncommitted changes; the recorded project had neither.
 */
export function enterWorktree(
  directory: string,
  wanted: string,
  env: Environment,
  tell: (line: string) => void,
): Worktree {
  checkName(wanted);
  const root = rootOf(directory);
  const name = wanted || `${WORDS[Date.now() % WORDS.length]}-${Date.now().toString(36)}`;
  const repository = createHash('sha1').update(root).digest('hex').slice(0, 16);
  const path = join(stateDir(env), 'worktrees', repository, name);
  const branch = `chord/${name}`;
  if (existsSync(path)) {
    tell(`Entered worktree ${name} (branch ${branch})`);
    return { branch, name, path: canonical(path), repo_root: root };
  }
  const base = baseOf(root, branch, path);
  const head = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  const dirty = git(root, 'status', '--porcelain') !== '';
  mkdirSync(dirname(path), { recursive: true });
  git(root, 'worktree', 'add', '-q', '-B', branch, path);
  for (const line of [
    `Created worktree ${name}`,
    `  branch: ${branch}`,
    `  path:   ${path}`,
    `  base:   HEAD ${base} on ${head === 'HEAD' ? '(detached HEAD)' : head}`,
    'Note: worktree contains tracked files only; uncommitted changes in main repo are NOT included.',
    ...(dirty
      ? [
          'Warning: main repo has uncommitted changes; they were left in place but are not visible inside the worktree.',
        ]
      : []),
  ]) {
    tell(line);
  }
  return { branch, name, path: canonical(path), repo_root: root };
}
