import type { Clock, ClockTimer } from '../../chord/clock';
import { settle } from './settle';

interface Timer {
  dueAt: number;
  call: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>();

  /** Starts at a fixed time, so that timestamps in expectations can be written down. */
  constructor(private time = Date.parse('2030-01-01T00:00:00.000Z')) {}

  now(): number {
    return this.time;
  }

  after(ms: number, call: () => void): ClockTimer {
    const timer = { dueAt: this.time + ms, call };
    this.timers.add(timer);
    return { cancel: () => void this.timers.delete(timer) };
  }

  /** Timers that have not fired and were not cancelled. */
  get pending(): number {
    return this.timers.size;
  }

  /** Milliseconds to each pending timer, the next one first. */
  get delays(): number[] {
    return [...this.timers].map((timer) => timer.dueAt - this.time).sort((a, b) => a - b);
  }

  /** Moves on, firing each timer at its own time, and lets what it caused run before the next one. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.timers.delete(timer);
      this.time = Math.max(this.time, timer.dueAt);
      timer.call();
      await settle();
    }
    this.time = end;
    await settle();
  }

  /** As while a machine is paused: afterwards each timer that is due fires once. */
  async sleep(ms: number): Promise<void> {
    this.time += ms;
    await this.advance(0);
  }

  private next(end: number): Timer | undefined {
    const due = [...this.timers].filter((timer) => timer.dueAt <= end);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
