import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Folder of the lab: scenarios, drivers, the configuration that all runs share. */
export const LAB = resolve(__dirname, '../../chord/lab');

/** The executable that `gulp simulator` builds. */
export const SIMULATOR = resolve(__dirname, '../../../build/simulator/chord');

/** A throw-away home and project, as the recordings were made in. */
export interface Sandbox {
  root: string;
  home: string;
  work: string;
  state: string;
  env: Record<string, string>;
  /** Its folders, and what they are called in the recordings. */
  places: [string, string][];
  remove(): void;
}

let made: string | undefined;

/** What `setup.sh` makes is the same each time: it runs once a test file. */
function template(): string {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'template-'));
  execFileSync('bash', [join(LAB, 'setup.sh'), folder, '1'], { stdio: 'ignore' });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  made = folder;
  return folder;
}

/** Makes the home folder and the small git project of the lab. */
export function sandbox(env: Record<string, string> = {}): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'simulator-')));
  cpSync(template(), root, { recursive: true });
  const home = join(root, 'home');
  return {
    root,
    home,
    work: join(root, 'work'),
    state: join(home, '.local/state/chord'),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      ...env,
    },
    places: [
      [join(root, 'work'), '/project'],
      [home, '/home/user'],
    ],
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** Writes a scenario into a sandbox and gives its path. */
export function scenarioFile(box: Sandbox, scenario: object): string {
  const file = join(box.root, 'scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

/** Gives the project a configuration of its own. */
export function projectConfig(box: Sandbox, yaml: string): void {
  mkdirSync(join(box.work, '.chord'), { recursive: true });
  writeFileSync(join(box.work, '.chord', 'config.yaml'), yaml);
}
