import type { Command } from '../protocol/commands';
import type { Envelope } from '../protocol/envelopes';

/** How a process ended, as reported once by {@link TransportEvents.exit}. */
export interface ExitReport {
  exitCode: number | null;
  signal: string | null;
  /** The last 64 KiB of stderr at most, credential values masked. */
  stderrTail: string;
  /** True when we stopped it: then it is not reported as a crash. */
  expected: boolean;
}

/** A stdout line that cannot be read, or only in part: reported, and the stream goes on. */
export interface ProtocolProblem {
  /**
   * `too_deep`: it nests deeper than anything could handle; `arguments_unreadable`: a request's arguments are given as
   * text; `not_handled`: an envelope that is a fault of this package's.
   */
  reason:
    | 'not_json'
    | 'not_an_envelope'
    | 'line_too_long'
    | 'too_deep'
    | 'arguments_unreadable'
    | 'not_handled';
  /** Of the envelope, where it is one. */
  type?: string;
  /** Of the request, where it is one. */
  request_id?: string;
  /** The beginning of the line, at most 200 characters. */
  sample: string;
  /** Bytes of the whole line. */
  bytes: number;
}

/** What a transport reports. Set before {@link Transport.start}; called in the order of arrival. */
export interface TransportEvents {
  envelope(envelope: Envelope): void;
  problem(problem: ProtocolProblem): void;
  /** Only after `ready`: before it, the rejected {@link Transport.start} says how the process ended. */
  exit(report: ExitReport): void;
}

/**
 * One running Chord as the session sees it: `ChordProcess` is the real one, `MemoryTransport` its twin for tests.
 * A transport is used once; after its exit a new one is made.
 */
export interface Transport {
  readonly pid: number | undefined;
  /**
   * Starts the process and resolves with its `ready` envelope, which is also given to `events.envelope` (first).
   * Rejects with a `ChordError` that names cause and cure; the process is gone then.
   */
  start(events: TransportEvents): Promise<Envelope>;
  /**
   * Writes one command line; resolves when the pipe has accepted it. Rejects with `message_too_long` before anything
   * is written, or `write_failed` / `process_exited` when it could not be written.
   */
  write(command: Command): Promise<void>;
  /** Ends the process, gently then firmly; resolves when it is gone. Idempotent. */
  stop(): Promise<void>;
  /** Ends it at once and synchronously: for the last moment of n8n's own process. */
  killNow(): void;
}
