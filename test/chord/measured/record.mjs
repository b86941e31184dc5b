// record.mjs - plays the cases against the real Chord and keeps what it did.
//
//   CHORD_BIN=/path/to/chord node record.mjs [names...]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const work = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'record-'));
const all = fs.readdirSync(path.join(here, 'drivers')).map((file) => file.replace('.json', ''));
const names = process.argv.length > 2 ? process.argv.slice(2) : all;

// The lab's runner looks for its cases beside itself.
fs.cpSync(path.join(here, '..', 'lab'), path.join(work, 'lab'), { recursive: true });
for (const kind of ['scenarios', 'drivers']) {
  fs.cpSync(path.join(here, kind), path.join(work, 'lab', kind), { recursive: true });
}
fs.mkdirSync(path.join(here, 'recordings'), { recursive: true });
for (const name of names) {
  try {
    execFileSync('node', [path.join(work, 'lab/run.mjs'), '--out', path.join(work, 'runs'), name], {
      stdio: 'inherit',
    });
  } catch {
    // The runner also judges; here only what was seen counts.
  }
  const run = path.join(work, 'runs', name);
  const text = fs
    .readFileSync(path.join(run, 'transcript.jsonl'), 'utf8')
    .replaceAll(path.join(run, 'work'), '/project')
    .replaceAll(path.join(run, 'home'), '/home/user')
    .split('\n')
    .filter((line) => line !== '' && JSON.parse(line).dir !== 'note');
  fs.writeFileSync(path.join(here, 'recordings', `${name}.jsonl`), `${text.join('\n')}\n`);
}
fs.rmSync(work, { recursive: true, force: true });
