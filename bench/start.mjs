// Measures speed and memory: `npm run bench`. Plain JavaScript, since it must run before anything is installed.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureDependencies } from '../rig/dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What is measured is the bundle that is published, as the nodes load it. */
const publishedChord = {
  name: 'published-chord',
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+chord$/ }, () => ({
      path: path.join(root, 'dist', 'chord', 'index.js'),
      external: true,
    }));
  },
};

ensureDependencies();
console.log('Building what is measured …');
const gulp = path.join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
if (run(gulp, 'fast', '--silent') !== 0) {
  console.error('The build failed, so nothing was measured.');
  process.exit(1);
}
await bundle();
// Ctrl-C reaches the measuring process as well; it ends what it started, and then this one goes.
process.on('SIGINT', () => undefined);
process.exit(run(path.join(root, 'build', 'bench', 'main.cjs'), ...process.argv.slice(2)) ?? 1);

/** Runs a script of this Node with our terminal; the exit code, or `null` after a signal. */
function run(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;
}

async function bundle() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/main.ts', 'bench/topics/*.ts', 'bench/children/*.ts'],
    outdir: 'build/bench',
    outbase: 'bench',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
    plugins: [publishedChord],
  });
}
