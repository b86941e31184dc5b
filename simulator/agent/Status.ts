import type { Clock } from '../clock';

/** What a `status` command reads: kept from what was told, as in Chord, not from what is. */
export class Status {
  busy = false;
  phase = '';
  phaseDetail = '';
  lastOutcome = '';
  lastError = '';
  /** The outcome that the next `idle` will say. */
  private pendingOutcome = '';
  private updatedAt: Date;

  constructor(private readonly clock: Clock) {
    this.updatedAt = clock.now();
  }

  touch(): void {
    this.updatedAt = this.clock.now();
  }

  /** Some work is seen. Compacting alone is no work that could be completed. */
  activity(type: string, detail: string): void {
    this.busy = true;
    this.phase = type;
    this.phaseDetail = detail;
    if (type !== 'compacting' && !this.pendingOutcome) this.pendingOutcome = 'completed';
    this.touch();
  }

  /** A runtime error: the turn counts as failed, also when a retry helps later. */
  error(message: string): void {
    this.pendingOutcome = 'error';
    this.lastError = message;
    this.touch();
  }

  /** A `cancel`; while nothing runs it stays for the next turn (measured). */
  cancelled(): void {
    this.pendingOutcome = 'cancelled';
    this.touch();
  }

  /** Everything is quiet; gives the outcome to tell. */
  idle(): string {
    this.busy = false;
    this.phase = '';
    this.phaseDetail = '';
    this.lastOutcome = this.pendingOutcome;
    this.pendingOutcome = '';
    this.lastError = '';
    this.touch();
    return this.lastOutcome;
  }

  fields(): Record<string, unknown> {
    return {
      busy: this.busy,
      phase: this.phase,
      phase_detail: this.phaseDetail,
      last_error: this.lastError,
      last_outcome: this.lastOutcome,
      updated_at: this.updatedAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    };
  }
}
