import { describeProblem } from '../rig/problem';
import { runDemo } from './demo';

const USAGE = `npm run demo              a real n8n with two workflows, an inbox, and an agent to try them with
npm run demo -- --once    the whole round by itself, then the end: for a first look, and for CI
npm run dev               the same n8n, built and started again whenever the sources change`;

const known = ['--once', '--watch'];
const args = process.argv.slice(2);
if (args.some((argument) => !known.includes(argument))) {
  console.error(USAGE);
  process.exit(2);
}

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

runDemo({ once: args.includes('--once'), watch: args.includes('--watch'), stop: stop.signal }).then(
  () => process.exit(asked > 0 && args.includes('--once') ? 130 : 0),
  (error: unknown) => {
    if (!stop.signal.aborted) console.error(`\n${describeProblem(error)}`);
    process.exit(stop.signal.aborted ? 130 : 1);
  },
);
