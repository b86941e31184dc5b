// Runs the tests: `npm test`. Plain JavaScript, since it must run before anything is installed.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureDependencies } from '../rig/dependencies.mjs';

const USAGE = `npm test                              what needs Node alone: the unit tests, and those on a real n8n
npm run test:unit                     without the real n8n and the real Chord: quick
npm run test:e2e [-- --n8n VERSION]   on a real n8n: 2.40, or another release line or version
npm run test:chord                    against the real Chord, named in CHORD_BIN
npm run test:isolation                what needs root on Linux, or other programs than Node
Further arguments go to jest.`;

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** What `npm test` runs: with Node alone. */
const SUITES = ['unit', 'e2e'];
/** What needs root or other programs, and so is asked for by name. */
const SPECIAL_SUITES = ['chord', 'isolation'];

/** How long a suite may take in all, and how long jest may take to end once it has written its report, in milliseconds. */
const SUITE_LIMIT_MS = 60 * 60_000;
const END_LIMIT_MS = 30_000;

const { suites, n8n: asked, jestArguments } = readArguments(process.argv.slice(2));
ensureDependencies();
const n8n = asked && (await n8nVersion(asked));
build();

const total = { passed: 0, failed: 0 };
let broken = false;
for (const suite of suites) {
  console.log(`\n== ${suite} ==`);
  const { passed, failed, ok } = await jest(suite);
  total.passed += passed;
  total.failed += failed;
  broken ||= !ok;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(broken ? 1 : 0);

function readArguments(args) {
  if (args.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const rest = [...args];
  const chosen = [...SUITES, ...SPECIAL_SUITES].includes(rest[0]) ? [rest.shift()] : SUITES;
  if (chosen.includes('chord') && !process.env.CHORD_BIN) {
    console.error('The real Chord is needed: set CHORD_BIN to a chord binary.');
    process.exit(2);
  }
  const at = rest.findIndex((argument) => /^--n8n(=|$)/.test(argument));
  if (at < 0) return { suites: chosen, jestArguments: rest };
  const [option] = rest.splice(at, 1);
  const version = option === '--n8n' ? rest.splice(at, 1)[0] : option.slice('--n8n='.length);
  if (!version || !chosen.some((suite) => ['e2e', 'isolation'].includes(suite))) {
    console.error(USAGE);
    process.exit(2);
  }
  return { suites: chosen, n8n: version, jestArguments: rest };
}

/** The version that is meant; ends the process with what is known if none is, before anything long begins. */
async function n8nVersion(version) {
  const { register } = await import('tsx/cjs/api');
  const unregister = register();
  const require = createRequire(import.meta.url);
  try {
    return require('../rig/n8nReleases.ts').n8nVersion(version);
  } catch (error) {
    console.error(require('../rig/Problem.ts').describeProblem(error));
    process.exit(2);
  } finally {
    unregister();
  }
}

/** What tests need of the build; the types are checked by `npm run types`. */
function build() {
  console.log('Building what the tests need …');
  const gulp = path.join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
  const result = spawnSync(process.execPath, [gulp, 'fast', '--silent'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) {
    console.error('The build failed, so no test was run.');
    process.exit(1);
  }
}

/** One run of jest; counts tests, and as failed also a file that could not be run at all. */
async function jest(suite) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'chord-tests-'));
  const report = path.join(folder, 'report.json');
  const args = ['--selectProjects', suite, '--json', '--outputFile', report, ...jestArguments];
  // One n8n serves the whole suite, and real Chords side by side would compete for two cores.
  if (suite !== 'unit') args.push('--runInBand');
  // A filter given by hand may fit the tests of one suite only.
  if (jestArguments.length > 0) args.push('--passWithNoTests');
  const script = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    // With --json, jest writes the report to stdout as well.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(n8n && { E2E_N8N_VERSION: n8n }) },
  });
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const stopWatching = endInTime(suite, child, report);
  const code = await new Promise((resolve) => child.on('close', resolve));
  stopWatching();
  process.off('SIGINT', forward).off('SIGTERM', forward);
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      ok: code === 0,
    };
  } catch {
    console.error(`jest ended with code ${code} and without a report.`);
    return { passed: 0, failed: 1, ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Something that a test left open keeps jest from ending, for ever: that is a failure, and is ended. SIGTERM lets it stop
 * the n8n that it started.
 */
function endInTime(suite, child, report) {
  const begun = Date.now();
  let reportedAt;
  let asked = false;
  const timer = setInterval(() => {
    reportedAt ??= existsSync(report) ? Date.now() : undefined;
    const hangs = reportedAt !== undefined && Date.now() - reportedAt > END_LIMIT_MS;
    if (!asked && (hangs || Date.now() - begun > SUITE_LIMIT_MS)) {
      asked = true;
      broken = true;
      console.error(
        hangs
          ? `The ${suite} tests did not end after their report: something was left open. They are ended now.`
          : `The ${suite} tests took more than ${SUITE_LIMIT_MS / 60_000} minutes. They are ended now.`,
      );
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS).unref();
    }
  }, 1000);
  return () => clearInterval(timer);
}
