import type { Clock } from '../../clock';
import { ChordError } from '../../errors';
import type { ExitReport, ProtocolProblem, Transport } from '../../process';
import type { Envelope } from '../../protocol/envelopes';
import { Connection, exitError } from '../connection/Connection';

/** Ids that one status may ask about. */
const maximumQuestionIds = 32;

/** What the process of a session needs of it. */
export interface AttachedProcessDeps {
  clock: Clock;
  sessionKey: string;
  /** The session's step now. */
  step(): number;
  /** Ids of the durable questions that a former process left behind. */
  unknownQuestions(): string[];
  /** @returns false for a snapshot that came too late to tell anything */
  accept(envelope: Envelope, askedAtStep: number): boolean;
  problem(problem: ProtocolProblem): void;
  /** The attached process is gone. */
  exit(report: ExitReport): void;
}

/** The process of a session: at most one at a time, and how the last one ended. */
export class AttachedProcess {
  private current: Connection | undefined;

  private lastExit: ExitReport | undefined;

  /** The first status of a process, while it has not come. */
  private probing: Promise<void> | undefined;

  constructor(private readonly deps: AttachedProcessDeps) {}

  isRunning(): boolean {
    return this.current !== undefined;
  }

  get pid(): number | undefined {
    return this.current?.pid;
  }

  /**
   * The connection to the running process.
   *
   * @throws ChordError `process_exited` when none runs
   */
  get connection(): Connection {
    if (this.current) return this.current;
    const { sessionKey } = this.deps;
    if (this.lastExit?.expected === false) throw exitError(this.lastExit, sessionKey);
    throw new ChordError('process_exited', 'Chord is not running in this session.', {
      sessionKey,
      description: 'Chord Send starts it.',
    });
  }

  /** Starts a process and takes it on; its first status is on its way then. */
  async attach(transport: Transport): Promise<void> {
    const connection: Connection = new Connection({
      ...this.deps,
      transport,
      exit: (report) => this.exit(connection, report),
    });
    await connection.start();
    if (connection.report) throw exitError(connection.report);
    this.current = connection;
    const probing = this.probe(connection).then(() => {
      if (this.probing === probing) this.probing = undefined;
    });
    this.probing = probing;
  }

  /** Resolves once Chord has shown what it can do, or has failed to; `undefined` when it has already. */
  get untilKnown(): Promise<void> | undefined {
    return this.probing;
  }

  /**
   * The one probe that we make: it shows what this Chord can do, what is open from before, and how the durable
   * questions stand that were left behind.
   */
  private async probe(connection: Connection): Promise<void> {
    const ids = this.deps.unknownQuestions();
    const asked = [connection.status(ids.slice(0, maximumQuestionIds))];
    for (let at = maximumQuestionIds; at < ids.length; at += maximumQuestionIds) {
      asked.push(connection.status(ids.slice(at, at + maximumQuestionIds)));
    }
    await Promise.allSettled(asked);
  }

  private exit(connection: Connection, report: ExitReport): void {
    if (this.current !== connection) return;
    this.current = undefined;
    this.lastExit = report;
    this.deps.exit(report);
  }
}
