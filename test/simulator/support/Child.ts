import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { until } from '../../support/until';
import { Heard, PATIENCE } from './Heard';
import { SIMULATOR, type Sandbox } from './lab';

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running simulator and everything that it wrote. */
export class Child extends Heard {
  readonly process: ChildProcess;
  stderr = '';
  exit: Exit | undefined;
  private pending = '';

  constructor(box: Sandbox, args: string[] = [], env: Record<string, string> = {}, directory = box.work) {
    super();
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

  /** Writes one command. */
  send(command: object | string): void {
    this.process.stdin?.write(`${typeof command === 'string' ? command : JSON.stringify(command)}\n`);
  }

  /** Lets the process do nothing until {@link leave}. */
  async hold(): Promise<void> {
    this.process.kill('SIGSTOP');
    const state = () =>
      execFileSync('ps', ['-o', 'state=', '-p', String(this.process.pid)], { encoding: 'utf8' });
    const stopped = () => state().startsWith('T');
    await until(stopped, { ...PATIENCE, what: 'the process to be held' });
  }

  /** Closes stdin. */
  leave(): void {
    this.process.stdin?.end(() => this.process.kill('SIGCONT'));
  }

  /** Closes stdin and waits for the end. */
  end(): Promise<Exit> {
    this.leave();
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
