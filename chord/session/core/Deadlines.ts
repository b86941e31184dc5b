import type { Clock, ClockTimer } from '../../clock';
import type { LedgerEntry } from '../state/Ledger';

/** What the deadlines need of the session around them. */
export interface DeadlinesDeps {
  clock: Clock;
  /** The time of a request is over. */
  expire(requestId: string): void;
}

/**
 * Watches the time of open requests: D1 and D2 do not tell when one times out. Protocol C tells it, by Chord's own
 * clock.
 */
export class Deadlines {
  private readonly timers = new Map<string, ClockTimer>();

  constructor(private readonly deps: DeadlinesDeps) {}

  arm(entry: LedgerEntry): void {
    if (entry.request.expires_at === null || entry.protocol === 'C') return;
    const { clock } = this.deps;
    const { id, expires_at: expiresAt } = entry.request;
    const left = Math.max(0, Date.parse(expiresAt) - clock.now());
    this.timers.set(
      id,
      clock.after(left, () => this.deps.expire(id)),
    );
  }

  disarm(requestId: string): void {
    this.timers.get(requestId)?.cancel();
    this.timers.delete(requestId);
  }
}
