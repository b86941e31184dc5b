/** A timer that a {@link Clock} made. */
export interface ClockTimer {
  cancel(): void;
}

/** Time as the policies see it; tests use one that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`. A timer never keeps n8n alive. */
  after(ms: number, call: () => void): ClockTimer;
}

/** The longest delay that Node's timers take, 24.8 days; a longer one would fire at once. */
const longestDelay = 2_147_483_647;

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    let timer: NodeJS.Timeout;
    const wait = (rest: number): void => {
      const part = Math.min(rest, longestDelay);
      timer = setTimeout(() => (rest > part ? wait(rest - part) : call()), part);
      timer.unref();
    };
    wait(ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** A time as items have it: RFC 3339, UTC. */
export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString();
