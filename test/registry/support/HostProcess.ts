import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const running: HostProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.kill()));
});

/** Another process beside the one that runs the tests: it obeys lines and answers each with one. */
export class HostProcess {
  private readonly lines: AsyncIterableIterator<string>;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    running.push(this);
  }

  /** Starts a bundled program and waits for its first line. */
  static async start(program: string, args: string[], env = process.env): Promise<HostProcess> {
    const host = new HostProcess(spawn(process.execPath, [program, ...args], { stdio: 'pipe', env }));
    await host.line();
    return host;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The next line that it says. */
  async line(): Promise<string> {
    const { value } = (await this.lines.next()) as { value: string };
    return value;
  }

  /** Tells it something and waits for what it says to it. */
  ask(line: string): Promise<string> {
    this.child.stdin.write(`${line}\n`);
    return this.line();
  }

  /** Ends it and waits until it is gone; tells by which code or signal. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'exit');
    }
    return this.child.exitCode ?? this.child.signalCode;
  }
}
