import { spawn, type ChildProcess } from 'node:child_process';
import { until } from '../../support/until';
import { SIMULATOR, type Sandbox } from './lab';

/** These processes answer in milliseconds: look often. */
export const PATIENCE = { limitMs: 20_000, everyMs: 5 };

/** One line of stdout, parsed. */
export interface Line {
  type: string;
  seq?: number;
  payload: Record<string, unknown>;
}

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running simulator and everything that it wrote. */
export class Child {
  readonly raw: string[] = [];
  readonly process: ChildProcess;
  stderr = '';
  exit: Exit | undefined;
  private pending = '';
  private cursor = 0;

  constructor(box: Sandbox, args: string[] = [], env: Record<string, string> = {}, directory = box.work) {
    this.process = spawn(SIMULATOR, ['headless', '-d', directory, ...args], {
      cwd: box.work,
      env: { ...box.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.process.stdin?.on('error', () => undefined);
    this.process.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    this.process.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    this.process.on('close', (code, signal) => (this.exit = { code, signal }));
  }

  /** All lines so far. */
  get lines(): Line[] {
    return this.raw.map((line) => JSON.parse(line) as Line);
  }

  /** Writes one command. */
  send(command: object | string): void {
    this.process.stdin?.write(`${typeof command === 'string' ? command : JSON.stringify(command)}\n`);
  }

  /** Waits for the next line of a type (after the one waited for last) whose payload has these values. */
  async next(type: string, fields: Record<string, unknown> = {}): Promise<Line> {
    return until(
      () => {
        for (let at = this.cursor; at < this.raw.length; at += 1) {
          const line = JSON.parse(this.raw[at]!) as Line;
          const fits = Object.entries(fields).every(
            ([key, value]) => JSON.stringify(line.payload[key]) === JSON.stringify(value),
          );
          if (line.type !== type || !fits) continue;
          this.cursor = at + 1;
          return line;
        }
        return undefined;
      },
      `${type} ${JSON.stringify(fields)}`,
    );
  }

  /** Closes stdin and waits for the end. */
  async end(): Promise<Exit> {
    this.process.stdin?.end();
    return this.ended();
  }

  /** Waits for the end. */
  ended(): Promise<Exit> {
    return until(() => this.exit, { ...PATIENCE, what: 'the process to end' });
  }

  /** Leaves nothing behind, whatever happened. */
  kill(): void {
    this.process.kill('SIGKILL');
  }

  private read(chunk: string): void {
    this.pending += chunk;
    const lines = this.pending.split('\n');
    this.pending = lines.pop()!;
    this.raw.push(...lines);
  }
}
