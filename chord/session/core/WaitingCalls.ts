import type { Clock } from '../../clock';
import { CallLimit, type Limits } from './CallLimit';

/** Every call that waits; all of them end when n8n does. */
export class WaitingCalls {
  private readonly limits = new Set<CallLimit>();

  constructor(private readonly clock: Clock) {}

  get count(): number {
    return this.limits.size;
  }

  /** Runs a call under its limits: what it waits for, it races with them. */
  async limited<Result>(limits: Limits, call: (limit: CallLimit) => Promise<Result>): Promise<Result> {
    const limit = new CallLimit(this.clock, limits);
    this.limits.add(limit);
    try {
      return await call(limit);
    } finally {
      limit.dispose();
      this.limits.delete(limit);
    }
  }

  /** Ends every wait. */
  interruptAll(): void {
    for (const limit of [...this.limits]) limit.interrupt();
  }
}
