import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Measurement } from '../Measurement';
import { median } from '../statistics';
import { runTopic, tellProgress } from '../topic';

const rounds = 11;

/** Prints when n8n-workflow and when all files were loaded, in milliseconds since the process began. */
const script = `
require('n8n-workflow');
const before = performance.now();
for (const file of process.argv.slice(1)) require(file);
console.log(JSON.stringify({ before, after: performance.now() }));
`;

async function measure(): Promise<Measurement> {
  const root = path.resolve(__dirname, '..', '..', '..');
  const folder = path.join(root, 'dist', 'nodes');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node.js'))
    .map((name) => path.join(folder, name));
  const results: { before: number; after: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    tellProgress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ...files], { cwd: root });
    // The first one fills the file system's cache.
    if (round > 0) results.push(JSON.parse(stdout) as { before: number; after: number });
  }
  const differences = results.map(({ before, after }) => after - before);
  return {
    title: 'loading all node files',
    meaning: `From the start of a new Node process until n8n-workflow (baseline) and then the ${files.length} node files are loaded.`,
    unit: 'ms',
    ours: median(results.map(({ after }) => after)),
    baseline: median(results.map(({ before }) => before)),
    result: median(differences),
    resultUnit: 'ms more',
    target: { under: 150 },
    rounds: differences,
    more: {},
  };
}

void runTopic(measure);
