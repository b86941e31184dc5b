import { parseArgs } from 'node:util';

import { describeProblem } from '../rig/Problem';
import { runDemo } from './demo';

const USAGE = `npm run demo                     a real n8n with two workflows, an inbox and an agent to try them with
npm run demo -- --once           plays the whole round automatically and exits: for a first look, and for CI
npm run demo -- --n8n VERSION    on another n8n: a release line or a version, such as 1.123
npm run dev                      the same n8n, rebuilt and restarted whenever the sources change`;

const options = readOptions();

/** A second Ctrl-C does not wait for a tidy end. */
let asked = 0;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    asked += 1;
    if (asked > 1) process.exit(130);
    console.log('\nStopping …');
    stop.abort();
  });
}

runDemo({ ...options, stop: stop.signal }).then(
  () => process.exit(asked > 0 && options.once ? 130 : 0),
  (error: unknown) => {
    if (!stop.signal.aborted) console.error(`\n${describeProblem(error)}`);
    process.exit(stop.signal.aborted ? 130 : 1);
  },
);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        n8n: { type: 'string' },
      },
    });
    return values;
  } catch {
    console.error(USAGE);
    process.exit(2);
  }
}
