'use strict';

/**
 * Builds the package: `gulp build`.
 *
 * dist/   what is published: the nodes and the credential as CommonJS files, one bundle of `chord/` with its
 *         libraries (zod, execa) so that the package has no runtime dependencies and n8n's CommonJS loader
 *         can load ESM-only ones, icons, codex files, and the licences of what is bundled.
 * build/  what stays here: the simulator as an executable, and execa as CommonJS for jest.
 */

const { execFile } = require('node:child_process');
const { chmod, rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');
const { writeLicences } = require('./licences');

/** Node 20 is the oldest Node of the n8n versions we support. */
const common = { platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

const clean = () =>
  Promise.all(['dist', 'build'].map((folder) => rm(folder, { recursive: true, force: true })));

/** Type check only: esbuild writes the files, and it does not look at types. */
const types = () =>
  promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc'), '--noEmit']).catch(
    (error) => {
      throw new Error(error.stdout || error.message);
    },
  );

/** n8n requires each node file by itself; they all share the one bundle of `chord/`. */
const compile = () =>
  esbuild.build({
    ...common,
    entryPoints: ['nodes/**/*.ts', 'credentials/*.ts'],
    outdir: 'dist',
    outbase: '.',
  });

const bundle = async () => {
  const result = await esbuild.build({
    ...common,
    entryPoints: ['chord/index.ts'],
    outfile: 'dist/chord/index.js',
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
  });
  await writeLicences(result.metafile, 'dist/THIRD_PARTY_LICENSES.md');
};

const icons = () =>
  src(['nodes/**/*.svg', 'credentials/*.svg'], { base: '.', encoding: false }).pipe(dest('dist'));

const codex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(dest('dist'));

/** An executable named as the real one, so that it can be put on a PATH in its place. */
const simulator = async () => {
  await esbuild.build({
    ...common,
    entryPoints: ['simulator/chord.ts'],
    outfile: 'build/simulator/chord',
    bundle: true,
    banner: { js: '#!/usr/bin/env node' },
  });
  await chmod('build/simulator/chord', 0o755);
};

/** jest cannot load ESM-only execa; this is what `moduleNameMapper` gives it instead. */
const execa = () =>
  esbuild.build({
    ...common,
    stdin: { contents: "export * from 'execa';", resolveDir: __dirname },
    outfile: 'build/execa.cjs',
    bundle: true,
  });

const files = parallel(compile, bundle, icons, codex, simulator, execa);

exports.clean = clean;
exports.execa = execa;
exports.simulator = simulator;
exports.build = series(clean, parallel(types, files));
exports.watch = () =>
  watch(['chord/**', 'nodes/**', 'credentials/**', 'simulator/**'], { ignoreInitial: false }, files);
/** What tests need, without the type check, which `npm run types` does. */
exports.fast = files;
