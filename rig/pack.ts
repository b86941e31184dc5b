import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { npm } from './npm';
import { Problem } from './Problem';
import { projectRoot } from './projectRoot';
import { runProgram } from './runProgram';

/** Runs one gulp task of this project, such as `build`. */
export async function gulp(task: string): Promise<void> {
  const script = path.join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js');
  const result = await runProgram(process.execPath, [script, task], { cwd: projectRoot });
  if (result.exitCode === 0) return;
  throw new Problem(`The build failed:\n${result.all.trim()}`, 'Fix what it reports, then try again.');
}

/** What is built goes into a file as it would be published; gives the path of that file. */
export async function packPackage(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const output = await npm(projectRoot, ['pack', '--json', '--pack-destination', folder]);
  const [packed] = JSON.parse(output) as { filename: string }[];
  if (!packed) throw new Error(`npm pack named no file: ${output}`);
  return path.join(folder, packed.filename);
}
