import type { Clock } from '../../../simulator/clock';
import { settle } from '../../support/settle';

/** A clock for the engine that stands still until a test moves it; what takes no time happens by itself. */
export class ManualClock implements Clock {
  private readonly timers = new Set<{ at: number; run: () => void }>();
  private time = Date.parse('2030-01-01T00:00:00.000Z');

  now(): Date {
    return new Date(this.time);
  }

  after(milliseconds: number, run: () => void): () => void {
    if (milliseconds <= 0) {
      const breath = setImmediate(run);
      return () => clearImmediate(breath);
    }
    const timer = { at: this.time + milliseconds, run };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** Moves on, firing each timer at its own time, and lets what it caused run before the next one. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settle();
    for (;;) {
      const due = [...this.timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.run();
      await settle();
    }
    this.time = end;
    await settle();
  }
}
