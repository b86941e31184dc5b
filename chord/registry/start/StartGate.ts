import { createHash } from 'node:crypto';
import { ChordError } from '../../errors';
import type { ConnectionSettings, StartOptions } from '../contract';
import { dependsOnStart, RestartPolicy } from './RestartPolicy';

/** Who asks for a start. */
export interface StartAsked {
  settings: ConnectionSettings;
  start: StartOptions;
  /** What a person does who looks on, by a name of its own; empty when nobody does. */
  attended: string;
}

/** Hashed, since a credential holds secrets. */
const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Stands before every start of a session's process: after a failure nobody gets through before the time is over, so
 * that however many ask, few processes are started. Only what is new may try at once: a person who looks on, once for
 * each thing that they do; a credential that was changed; and another way to start, where the one before was the fault.
 */
export class StartGate {
  private readonly policy = new RestartPolicy();

  private failure: ChordError | undefined;

  /** What has been tried since a process was healthy. */
  private readonly tried = new Set<string>();

  /** The part of it that the last start tried. */
  private last: string[] = [];

  /** Failures since a process was healthy. */
  failures(now: number): number {
    return this.policy.failuresInARow(now);
  }

  /** Until when it is closed, as a time; `null` while it is open. */
  closedUntil(now: number): number | null {
    return this.policy.closedUntil(now);
  }

  /** The time is over: it is open now, whatever the clock says. */
  open(): void {
    this.policy.endGap();
  }

  /** What went wrong last. */
  get lastFailure(): ChordError | undefined {
    return this.failure;
  }

  /**
   * Somebody wants to start a process.
   *
   * @throws ChordError the last failure and when the next start may be tried
   */
  enter(asked: StartAsked, now: number): void {
    const isNew = this.note(asked);
    const until = this.closedUntil(now);
    if (until !== null && this.failure !== undefined && !isNew) throw tooEarly(this.failure, until);
  }

  /** A process became ready. */
  started(now: number): void {
    this.policy.started(now);
  }

  /** A process ended unexpectedly, or could not be started: milliseconds until the next try, or that there is none. */
  failed(failure: ChordError, now: number): number | 'give_up' {
    if (this.failures(now) === 0) {
      this.tried.clear();
      for (const key of this.last) this.tried.add(key);
    }
    this.failure = failure;
    return this.policy.failed(now);
  }

  /** Notes a try; true for one that is unlike those before it. */
  private note({ settings, start, attended }: StartAsked): boolean {
    const credential = fingerprint(settings);
    const request = fingerprint([settings, start]);
    const startMatters = this.failure !== undefined && dependsOnStart(this.failure.code);
    const counted = [startMatters ? request : credential, ...(attended === '' ? [] : [attended])];
    const isNew = counted.some((key) => !this.tried.has(key));
    this.last = [credential, request, ...counted];
    for (const key of this.last) this.tried.add(key);
    return isNew;
  }
}

const tooEarly = (failure: ChordError, until: number): ChordError =>
  new ChordError(
    failure.code,
    `${failure.message} The next start is possible at ${new Date(until).toISOString()}.`,
    {
      ...failure.facts,
      cause: failure,
      description:
        `${failure.description} A test in the editor or a changed credential can try again at once.`.trim(),
    },
  );
