import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of what the real Chord was seen to do. */
const RECORDINGS = resolve(__dirname, '../../chord/recordings');

/** One row of a recording. */
export interface Row {
  t_ms: number;
  dir: 'in' | 'out' | 'err' | 'note' | 'exit';
  line?: string;
  code?: number;
  signal?: string;
}

/** The rows of a recording; the one line that is abbreviated in it is written out. */
export const recording = (name: string): Row[] => rowsIn(join(RECORDINGS, `${name}.jsonl`));

/** The rows of a file of recordings. */
export function rowsIn(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => expanded(JSON.parse(line) as Row));
}

/** `start...(N chars)`: the driver wrote N characters, all but the frame of them the letter x. */
function expanded(row: Row): Row {
  const short = /^(.*?x)\.\.\.\((\d+) chars\)$/s.exec(row.line ?? '');
  if (row.dir !== 'in' || !short) return row;
  return { ...row, line: `${short[1]!.padEnd(Number(short[2]) - 2, 'x')}"}` };
}

/** What stands for one value in a recording and for another one in a run. */
const VARYING: [RegExp, string][] = [
  [/\b[0-9a-f]{32}\b/g, 'request'],
  [/\b20\d{15}\b/g, 'session'],
];

/** Fixed places: what differs between two machines, but is not told apart. */
const FIXED: [RegExp, string][] = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/^\[W \d{4}-\d\d-\d\d \d\d:\d\d:\d\d /g, '[W <time> '],
  [/\(PID \d+ on \S+, since \d\d:\d\d:\d\d\)/g, '(PID <pid> on <host>, since <time>)'],
  // The folder of a worktree and the commit that it begins with depend on path and time of the project.
  [/\/worktrees\/[0-9a-f]{16}\//g, '/worktrees/<repository>/'],
  [/HEAD [0-9a-f]{12}/g, 'HEAD <commit>'],
];

/**
 * Makes lines of two runs comparable: each id becomes its kind and the order in which it was first seen, so that a
 * reply that goes to another request is still a difference.
 */
export class Normaliser {
  private readonly names = new Map<string, string>();
  private readonly ids = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** `places` are folders of this run and what they are called in a recording. */
  constructor(private readonly places: [string, string][] = []) {}

  normal(line: string): string {
    let text = line;
    for (const [path, name] of this.places) text = text.replaceAll(path, name);
    for (const [pattern, name] of FIXED) text = text.replace(pattern, name);
    for (const [pattern, kind] of VARYING) text = text.replace(pattern, (id) => this.nameOf(id, kind));
    return text;
  }

  /** The id that another run had where this one had `name`. */
  idOf(name: string): string | undefined {
    return this.ids.get(name);
  }

  /** The name of an id that was seen. */
  known(id: string): string | undefined {
    return this.names.get(id);
  }

  private nameOf(id: string, kind: string): string {
    const known = this.names.get(id);
    if (known) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = `<${kind}-${count}>`;
    this.names.set(id, name);
    this.ids.set(name, id);
    return name;
  }
}

/** Rewrites a recorded stdin line for this run: recorded ids become the ids that this run has in their place. */
export function translated(line: string, recorded: Normaliser, actual: Normaliser): string {
  let text = line;
  for (const [pattern] of VARYING) {
    // An id that was never seen on stdout is one that the client made up: it stays.
    text = text.replace(pattern, (id) => actual.idOf(recorded.known(id) ?? '') ?? id);
  }
  return text;
}
