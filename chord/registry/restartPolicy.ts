import type { ErrorCode } from '../errors';

/** Five failures in this time, in milliseconds, and Chord is not started again by itself. */
const failureWindow = 5 * 60_000;

const failureLimit = 5;

/** A process that ran so long, in milliseconds, was healthy: what failed before it is forgotten. */
const healthyAfter = 60_000;

const longestDelay = 60_000;

/** When a process that ended unexpectedly is started again: after 1, 2, 4 … 60 seconds. */
export class RestartPolicy {
  private failures: number[] = [];

  private inARow = 0;

  private readyAt: number | undefined;

  /** A process became ready. */
  started(now: number): void {
    this.readyAt = now;
  }

  /** A process ended unexpectedly, or could not be started: milliseconds until the next try, or that there is none. */
  failed(now: number): number | 'give_up' {
    if (this.readyAt !== undefined && now - this.readyAt >= healthyAfter) this.reset();
    this.readyAt = undefined;
    this.failures = [...this.failures.filter((at) => now - at < failureWindow), now];
    this.inARow += 1;
    if (this.failures.length >= failureLimit) return 'give_up';
    return Math.min(1_000 * 2 ** (this.inARow - 1), longestDelay);
  }

  /** Somebody asks for the session anew: what failed before no longer counts. */
  reset(): void {
    this.failures = [];
    this.inARow = 0;
    this.readyAt = undefined;
  }
}

const pointless: readonly ErrorCode[] = [
  'binary_not_found',
  'binary_not_executable',
  'not_chord',
  'directory_missing',
  'directory_not_a_folder',
  'directory_unreadable',
  'directory_not_allowed',
  'invalid_settings',
  'no_configuration',
  'invalid_configuration',
  'session_not_found',
  'session_held',
  'owned_elsewhere',
  'n8n_is_pid_1',
  'pin_ambiguous',
  'wrong_session',
];

/** True for a start error that the next try would meet again: somebody has to change something first. */
export const isPointlessToRetry = (code: ErrorCode): boolean => pointless.includes(code);
