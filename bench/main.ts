import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { printProgress } from '../rig/progress';
import type { Measurement } from './Measurement';
import { resultsFile, table } from './results';
import type { TopicMessage } from './topic';

/** In the order of the table. */
const topics = {
  throughput: 'Reading a fast stream',
  latency: 'Reading 1,000 events a second',
  send: 'Sending messages',
  status: 'Asking for the status',
  heap: 'Holding 50 sessions',
  kept: 'Sending and asking what is large',
  load: 'Loading the nodes',
};

type Topic = keyof typeof topics;

let running: ChildProcess | undefined;

/** Runs one topic in a process of its own, in a throw-away folder. */
function measure(topic: Topic, folder: string, onProgress: (text: string) => void): Promise<Measurement> {
  const project = path.join(folder, topic, 'project');
  mkdirSync(project, { recursive: true });
  return new Promise((resolve, reject) => {
    running = fork(path.join(__dirname, 'topics', `${topic}.cjs`), {
      cwd: project,
      execArgv: ['--expose-gc'],
      env: {
        ...process.env,
        N8N_USER_FOLDER: path.join(folder, topic, 'n8n'),
        CHORD_CONFIG_HOME: path.join(folder, topic, 'config'),
        CHORD_STATE_DIR: path.join(folder, topic, 'state'),
      },
    });
    let found: Measurement | undefined;
    running.on('message', (message: TopicMessage) => {
      if ('progress' in message) onProgress(message.progress);
      else found = message.measurement;
    });
    running.on('error', reject);
    running.on('close', (code, signal) => {
      running = undefined;
      if (found && code === 0) resolve(found);
      else reject(new Error(`The measurement "${topic}" ended with ${signal ?? `exit code ${code}`}.`));
    });
  });
}

async function main(chosen: Topic[]): Promise<void> {
  const progress = printProgress();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'chord-bench-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => running?.kill(signal));
  try {
    const found: Partial<Record<Topic, Measurement>> = {};
    for (const topic of chosen) {
      let detail = '';
      found[topic] = await progress.during(
        topics[topic],
        () => measure(topic, folder, (text) => (detail = text)),
        () => Promise.resolve(detail),
      );
    }
    console.log(`\n${table(Object.values(found))}`);
    // A part of the topics, chosen by hand, is no result to keep.
    if (chosen.length < Object.keys(topics).length) return;
    const file = path.resolve(__dirname, '..', '..', 'bench', 'results.json');
    writeFileSync(file, resultsFile(found));
    console.log(`\nWritten to ${path.relative(process.cwd(), file)}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const names = Object.keys(topics) as Topic[];
const chosen = names.filter((name) => process.argv.includes(name));
main(chosen.length > 0 ? chosen : names).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
