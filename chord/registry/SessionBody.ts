import type { Clock } from '../clock';
import type { Transport } from '../process/Transport';
import type { ChordSession } from '../session/contract';
import type { SessionHost, SessionIdentity } from '../session/SessionHost';

/** What the registry needs of a session: `Session` is the real one. */
export interface SessionBody extends Omit<ChordSession, 'key' | 'release'> {
  /** Not busy, and no job, input, request, shell or waiter is open. */
  readonly quiet: boolean;
  /** A process is attached. */
  readonly attached: boolean;
  /** Chord's own id; empty before the first process. */
  readonly sessionId: string;
  /** Inputs and answers whose outcome is unknown. */
  readonly unknownInputs: number;
  /** Starts the process, waits for `ready`, asks for the first status; rejects with the start error. */
  attach(transport: Transport): Promise<void>;
  /** Gives listeners an event of our own. */
  announce(
    event: 'process_exited' | 'process_restarted',
    facts: Record<string, unknown>,
    summary: string,
  ): void;
  /** Settles every waiter with `interrupted`. */
  interrupt(reason: string): void;
}

/** Makes the session of one key. */
export type MakeSession = (identity: SessionIdentity, host: SessionHost, clock: Clock) => SessionBody;
