import { ChordError } from '../../../chord/errors';
import type { ExitReport, Transport, TransportEvents } from '../../../chord/process/Transport';
import { encodeCommand, type Command } from '../../../chord/protocol/commands';
import type { Envelope } from '../../../chord/protocol/envelopes';
import type { Engine } from '../../../simulator/Engine';
import { MemoryTransport } from '../MemoryTransport';
import { Pipe } from './Pipe';

/** Makes the engine of a process; it gives its lines to `write`. Throws where Chord would not start. */
export type MakeEngine = (write: (line: string) => void) => Engine;

/** The simulator's engine as a transport: no process, but lines that are on their way for a while. */
export class SimulatedProcess implements Transport {
  readonly pid = undefined;

  /** Lines to Chord. */
  readonly stdin: Pipe;

  /** Lines from Chord. */
  readonly stdout: Pipe;

  /** While set, no line can be written. */
  broken = false;

  private engine: Engine | undefined;

  private memory: MemoryTransport | undefined;

  constructor(
    private readonly make: MakeEngine,
    stir: () => void,
  ) {
    this.stdin = new Pipe((line) => this.engine?.receive(line), stir);
    this.stdout = new Pipe((line) => this.memory?.deliver(JSON.parse(line) as Envelope), stir);
  }

  async start(events: TransportEvents): Promise<Envelope> {
    const first: string[] = [];
    let write = (line: string): void => void first.push(line);
    try {
      this.engine = this.make((line) => write(line));
    } catch (cause) {
      throw new ChordError('session_not_found', (cause as Error).message, { cause });
    }
    this.engine.start();
    write = (line) => this.stdout.push(line);
    const [ready, ...rest] = first;
    const peer = { command: (command: Command) => this.stdin.push(encodeCommand(command).trimEnd()) };
    this.memory = new MemoryTransport(JSON.parse(ready!) as Envelope, peer);
    const envelope = await this.memory.start(events);
    for (const line of rest) this.stdout.push(line);
    return envelope;
  }

  write(command: Command): Promise<void> {
    if (this.broken) return Promise.reject(new ChordError('write_failed', 'A line could not be written.'));
    return this.memory!.write(command);
  }

  stop(): Promise<void> {
    this.end('stdin closed', { exitCode: 0, signal: null, expected: true });
    return Promise.resolve();
  }

  killNow(): void {
    this.end('killed', { exitCode: null, signal: 'SIGKILL', expected: true });
  }

  /** Ends it from outside: what it has not read is lost, what it has written arrives. */
  crash(): void {
    this.end('killed', { exitCode: null, signal: 'SIGKILL', expected: false });
  }

  private end(reason: string, report: Omit<ExitReport, 'stderrTail'>): void {
    this.stdin.drop();
    this.engine?.stop(reason);
    this.stdout.flush();
    this.memory?.exit(report);
  }
}
