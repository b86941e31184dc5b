import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';

/** The variables that say where Chord keeps things. */
export type Environment = Record<string, string | undefined>;

/** Home of the user, as Go sees it: `HOME` first. */
const homeOf = (env: Environment) => chosen(env.HOME, homedir());

/** The first that says something: an empty variable counts as not set. */
const chosen = (...values: (string | undefined)[]): string => values.find((value) => value) ?? '';

/** Folder of `config.yaml` and `agents/`. */
export function configHome(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME;
  return resolve(
    chosen(env.CHORD_CONFIG_HOME, xdg && join(xdg, 'chord'), join(homeOf(env), '.config', 'chord')),
  );
}

/** Folder of everything Chord remembers. */
export function stateDir(env: Environment): string {
  const xdg = env.XDG_STATE_HOME;
  return resolve(
    chosen(env.CHORD_STATE_DIR, xdg && join(xdg, 'chord'), join(homeOf(env), '.local', 'state', 'chord')),
  );
}

/** The real path of a directory, or the cleaned path where there is none. */
export function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Where the sessions of one project are kept. */
export interface ProjectLocation {
  root: string;
  key: string;
  logicalRoot: string;
  sessionsDir: string;
  /** `<state>/projects/<key>.json`. */
  registryFile: string;
}

/** `HOME/…` below the home folder, `ABS/…` elsewhere: the same project keeps its key when the home folder moves. */
function logicalRootOf(root: string, env: Environment): string {
  const home = canonical(homeOf(env));
  if (root === home) return 'HOME';
  const below = relative(home, root);
  if (below && below !== '..' && !below.startsWith(`..${sep}`)) return `HOME/${below.split(sep).join('/')}`;
  return `ABS${root.split(sep).join('/')}`;
}

/** Finds the folders of a project; its key is the path with everything but letters, digits and `._-` made a dash. */
export function locateProject(directory: string, env: Environment): ProjectLocation {
  const root = canonical(directory);
  const logicalRoot = logicalRootOf(root, env);
  let key =
    logicalRoot
      .replace(/[^A-Za-z0-9._-]/gu, '-')
      .replace(/-+/g, '-')
      .replace(/-+$/, '') || 'project';
  if (key.length > 200) {
    const fingerprint = createHash('sha256').update(logicalRoot).digest('hex').slice(0, 8);
    key = `${key.slice(0, 190).replace(/-+$/, '')}--${fingerprint}`;
  }
  const state = stateDir(env);
  const sessionsRoot = env.CHORD_SESSIONS_DIR ? resolve(env.CHORD_SESSIONS_DIR) : join(state, 'sessions');
  return {
    root,
    key,
    logicalRoot,
    sessionsDir: join(sessionsRoot, key),
    registryFile: join(state, 'projects', `${key}.json`),
  };
}
