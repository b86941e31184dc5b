import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { howToGetBuildTools, missingBuildTools } from './buildTools';
import { withInstallLock } from './installLock';
import { n8nRelease, type N8nRelease } from './n8nReleases';
import { nodeBinary, nodeHeaders, nodePackage } from './nodePackage';
import { npm, QUIET } from './npm';
import { Problem } from './Problem';
import type { Progress } from './progress';
import { projectRoot } from './projectRoot';

/** An installed n8n and the Node that runs it. */
export interface InstalledN8n {
  release: N8nRelease;
  /** The Node binary. */
  node: string;
  /** n8n's own start script, to be run by that Node. */
  script: string;
}

/**
 * n8n runs the same node types without what is optional to its libraries and what they expect of a program that uses
 * more of them: 85 of 750 MB to download less, and 0.5 of 2.8 GB on the disk (measured, 2.40.7).
 */
const ONLY_WHAT_RUNS = ['--omit=optional', '--omit=peer'];

/** Written last, so that an interrupted installation is never taken for a whole one. */
const MARKER = 'installed.json';

/**
 * Gives a real n8n, installing it with its own Node into the project's cache folder if it is not there yet: about
 * four minutes and 2.3 GB, once. Everything comes through the person's own npm settings.
 */
export async function installedN8n(version: string | undefined, progress: Progress): Promise<InstalledN8n> {
  const release = n8nRelease(version);
  const folder = path.join(projectRoot, '.cache', 'n8n', release.version);
  const nodeFolder = path.join(folder, 'node', 'node_modules', nodePackage());
  const found: InstalledN8n = {
    release,
    node: nodeBinary(nodeFolder),
    script: path.join(folder, 'n8n', 'node_modules', 'n8n', 'bin', 'n8n'),
  };
  const whole = () =>
    existsSync(path.join(folder, MARKER)) && existsSync(found.node) && existsSync(found.script);
  if (whole()) return found;
  await withInstallLock(
    `${folder}.lock`,
    async () => {
      if (whole()) return;
      progress.note(
        `n8n ${release.version} is not installed yet: it is installed once, into ${path.relative(projectRoot, folder)}`,
      );
      await rm(folder, { recursive: true, force: true });
      await install(release, folder, nodeFolder, progress);
      await writeFile(
        path.join(folder, `${MARKER}.new`),
        JSON.stringify({ ...release, at: new Date().toISOString() }),
      );
      await rename(path.join(folder, `${MARKER}.new`), path.join(folder, MARKER));
    },
    (owner) => progress.note(`Process ${owner} is installing the same n8n; waiting for it …`),
  );
  return found;
}

async function install(
  release: N8nRelease,
  folder: string,
  nodeFolder: string,
  progress: Progress,
): Promise<void> {
  const nodeRoot = path.join(folder, 'node');
  await emptyPackage(nodeRoot);
  await progress.during(`Install Node ${release.node} for n8n`, () =>
    npm(nodeRoot, ['install', `${nodePackage()}@${release.node}`, '--ignore-scripts', ...QUIET]),
  );

  const environment = {
    PATH: `${path.dirname(nodeBinary(nodeFolder))}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: nodeHeaders(nodeFolder),
  };
  const missing = await missingBuildTools();
  if (missing.length > 0) await proveSqlite(release, folder, environment, missing, progress);

  const n8nRoot = path.join(folder, 'n8n');
  await emptyPackage(n8nRoot, release.overrides);
  await progress.during(
    `Install n8n ${release.version} (about 3 minutes, 660 MB to download, 2.3 GB on the disk)`,
    () =>
      npm(
        n8nRoot,
        ['install', `n8n@${release.version}`, '--ignore-scripts', ...ONLY_WHAT_RUNS, ...QUIET],
        environment,
      ),
    async () => `${(await readdir(path.join(n8nRoot, 'node_modules'))).length} packages`,
  );
  await progress.during('Prepare sqlite3, n8n’s database (compiled if there is no prebuilt file)', () =>
    npm(n8nRoot, ['rebuild', 'sqlite3', '--ignore-scripts=false', ...QUIET], environment),
  );
}

/**
 * Without a compiler, n8n works only where sqlite3 can be downloaded ready-made. Whether it can is found out before
 * the long installation, by installing sqlite3 alone.
 */
async function proveSqlite(
  release: N8nRelease,
  folder: string,
  environment: Record<string, string | undefined>,
  missing: string[],
  progress: Progress,
): Promise<void> {
  const root = path.join(folder, 'sqlite3');
  await emptyPackage(root);
  const wanted = await npm(root, ['view', `n8n@${release.version}`, 'dependencies.sqlite3']);
  await progress
    .during('Check for a prebuilt sqlite3', () =>
      npm(root, ['install', `sqlite3@${wanted}`, '--ignore-scripts=false', ...QUIET], environment),
    )
    .catch((error: unknown) => {
      throw new Problem(
        `n8n needs sqlite3, for which no prebuilt file could be downloaded. To compile it, this is missing: ${missing.join(', ')}.`,
        howToGetBuildTools(),
        { cause: error },
      );
    });
  await rm(root, { recursive: true, force: true });
}

async function emptyPackage(folder: string, overrides?: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'rig', private: true, overrides }),
  );
}
