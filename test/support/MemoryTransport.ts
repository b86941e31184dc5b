import { ChordError } from '../../chord/errors';
import { encodeCommand, maximumLineBytes, type Command } from '../../chord/protocol/commands';
import type { Envelope } from '../../chord/protocol/envelopes';
import type { ExitReport, Transport, TransportEvents } from '../../chord/process/Transport';

/** The other end of a {@link MemoryTransport}: plays Chord. */
export interface MemoryPeer {
  /** Called for each command; answers with {@link MemoryTransport.deliver}, at once or later. */
  command(command: Command): void;
}

/** The in-memory twin of `ChordProcess`: same rules for `ready`, writes and the end, without a process. */
export class MemoryTransport implements Transport {
  readonly pid = undefined;

  /** Every command that was written, in order. */
  readonly written: Command[] = [];

  private events: TransportEvents | undefined;

  private ended = false;

  constructor(
    private readonly ready: Envelope,
    private readonly peer: MemoryPeer = { command: () => undefined },
  ) {}

  start(events: TransportEvents): Promise<Envelope> {
    this.events = events;
    events.envelope(this.ready);
    return Promise.resolve(this.ready);
  }

  write(command: Command): Promise<void> {
    if (Buffer.byteLength(encodeCommand(command)) > maximumLineBytes) {
      return Promise.reject(new ChordError('message_too_long', 'The command line is over 1 MiB.'));
    }
    if (this.ended) return Promise.reject(new ChordError('process_exited', 'Chord has ended.'));
    this.written.push(command);
    this.peer.command(command);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.exit({ exitCode: 0, signal: null, expected: true });
    return Promise.resolve();
  }

  killNow(): void {
    this.exit({ exitCode: null, signal: 'SIGKILL', expected: true });
  }

  /** Gives one envelope to the session, as if Chord had written it. */
  deliver(envelope: Envelope): void {
    if (!this.ended) this.events?.envelope(envelope);
  }

  /** Ends the process. */
  exit(report: Omit<ExitReport, 'stderrTail'> & Partial<ExitReport>): void {
    if (this.ended) return;
    this.ended = true;
    this.events?.exit({ stderrTail: '', ...report });
  }
}
