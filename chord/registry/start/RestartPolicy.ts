import { cureOf, type ErrorCode } from '../../errors';

/** Five failures in this time, in milliseconds, and Chord is not started again by itself so soon. */
const failureWindow = 5 * 60_000;

const failureLimit = 5;

/** A process that ran so long, in milliseconds, was healthy: what failed before it is forgotten. */
const healthyAfter = 60_000;

const longestDelay = 60_000;

/**
 * When a process that ended unexpectedly, or that could not be started, may be started again: after 1, 2, 4 … 60
 * seconds. Stands before every start, whoever asks for it.
 */
export class RestartPolicy {
  private failures: number[] = [];

  private inARow = 0;

  private readyAt: number | undefined;

  private gapEnd = 0;

  /** A process became ready. */
  started(now: number): void {
    this.readyAt = now;
    this.gapEnd = 0;
  }

  /** A process ended unexpectedly, or could not be started: milliseconds until the next try, or that there is none. */
  failed(now: number): number | 'give_up' {
    if (this.isHealthy(now)) this.reset();
    this.readyAt = undefined;
    this.failures = [...this.failures.filter((at) => now - at < failureWindow), now];
    this.inARow += 1;
    const delay = Math.min(1_000 * 2 ** (this.inARow - 1), longestDelay);
    this.gapEnd = now + delay;
    return this.failures.length >= failureLimit ? 'give_up' : delay;
  }

  /** The time is over, whatever the clock says. */
  endGap(): void {
    this.gapEnd = 0;
  }

  /**
   * Until when no start is tried, as a time; `null` when one may be tried at once. A gap that is longer than any says that
   * the clock was set back.
   */
  closedUntil(now: number): number | null {
    const rest = this.gapEnd - now;
    return rest > 0 && rest <= longestDelay ? this.gapEnd : null;
  }

  /** Failures since a process was healthy. */
  failuresInARow(now: number): number {
    return this.isHealthy(now) ? 0 : this.inARow;
  }

  private reset(): void {
    this.failures = [];
    this.inARow = 0;
    this.readyAt = undefined;
    this.gapEnd = 0;
  }

  private isHealthy(now: number): boolean {
    return this.readyAt !== undefined && now - this.readyAt >= healthyAfter;
  }
}

/** True for a start error that the next try would meet again: somebody has to change something first. */
export const isPointlessToRetry = (code: ErrorCode): boolean => cureOf(code) !== undefined;

/** Somebody has the session who may give it back any time. */
export const isHeld = (code: ErrorCode): boolean => cureOf(code) === 'holder';

/** True for a start error that another start mode or session id would not meet. */
export const dependsOnStart = (code: ErrorCode): boolean => cureOf(code) === 'start';
