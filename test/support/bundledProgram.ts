import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryFolder } from './temporaryFolder';

/**
 * A plain program made of a TypeScript file, to be run by a Node process of its own. By esbuild's command line: its
 * interface does not work inside jest.
 */
export function bundledProgram(source: string): string {
  const file = path.join(temporaryFolder(), `${path.basename(source, '.ts')}.cjs`);
  const esbuild = path.join(path.dirname(require.resolve('esbuild/package.json')), 'bin', 'esbuild');
  execFileSync(esbuild, [source, '--bundle', '--platform=node', `--outfile=${file}`, '--log-level=error']);
  return file;
}
