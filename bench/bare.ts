import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Program } from './programs';

/** A line of a child, parsed and not looked at any further. */
export interface BareLine {
  type: string;
  payload?: Record<string, unknown>;
}

/** What everything is compared with: the shortest code that reads JSON lines from a child, and does no more. */
export class BareChild {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;

  /** Called with each line. */
  onLine: (line: BareLine) => void = () => undefined;

  /** Resolves once the child has written something, which is `ready`. */
  readonly ready: Promise<void>;

  constructor(program: Program, directory: string) {
    this.child = spawn(program.command, [...program.args, 'headless', '-d', directory], {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.child.stdout.once('data', () => resolve());
      this.child.once('error', reject);
    });
    // Splitting bytes takes half the time of splitting decoded text (measured), so it is what we compare with.
    let rest = Buffer.alloc(0);
    this.child.stdout.on('data', (chunk: Buffer) => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        this.onLine(JSON.parse(bytes.toString('utf8', start, end)) as BareLine);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    });
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
