// Runs what must hold before a pull request: `npm run check`. Plain JavaScript, since it must run before anything is
// installed.

import { ensureDependencies, npm } from '../rig/dependencies.mjs';

/** What is looked at, by which script of package.json: what is quick comes first, so that most faults show soon. */
const STEPS = [
  ['Format', 'format:check'],
  ['Types and build', 'build'],
  ['Unused files, exports and dependencies', 'unused'],
  ['Circles', 'cycles'],
  ['Duplicates', 'duplicates'],
  ['Lint, layers', 'lint'],
  ['Unit tests', 'test:unit'],
];

ensureDependencies();
const begun = Date.now();
const lines = [];
for (const [name, script] of STEPS) {
  console.log(`\n== ${name} (npm run ${script}) ==`);
  const from = Date.now();
  const { status } = npm('run', '--silent', script);
  lines.push(`${seconds(from)}  ${name}${status === 0 ? '' : ': FAILED, so the rest was not looked at'}`);
  if (status !== 0) {
    process.exitCode = 1;
    break;
  }
}
console.log(`\n${lines.join('\n')}\n${seconds(begun)}  in all`);

/** The time since then, set in a column. */
function seconds(since) {
  return `${Math.round((Date.now() - since) / 1000)} s`.padStart(7);
}
