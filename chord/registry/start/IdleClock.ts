import type { Clock, ClockTimer } from '../../clock';

/**
 * No process is stopped sooner after its last use, in milliseconds, whatever the credential says: in a manual test n8n
 * closes the trigger before the nodes after it run, and they need the same process.
 */
const shortestIdleTime = 120_000;

/** What the idle clock asks and does. */
export interface IdleWatch {
  /** Milliseconds without use after which the process is stopped; 0 is never. */
  timeoutMs(): number;
  /** True while nobody holds a lease and no work, job, request or input is open. */
  mayStop(): boolean;
  stop(): void;
}

/** Stops an unused process once it has been unused long enough. */
export class IdleClock {
  private lastUse: number;

  private timer: ClockTimer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly watch: IdleWatch,
  ) {
    this.lastUse = clock.now();
  }

  /** A process runs from now on. */
  start(): void {
    this.used();
    this.arm();
  }

  /** Something happened: the idle time starts again. Cheap, because it is called for every event. */
  used(): void {
    this.lastUse = this.clock.now();
  }

  /** No process runs any more. */
  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private arm(): void {
    this.timer?.cancel();
    const timeout = this.timeout();
    // With "never", look again later: the credential may be changed meanwhile.
    const rest = timeout === 0 ? shortestIdleTime : this.lastUse + timeout - this.clock.now();
    this.timer = this.clock.after(rest > 0 ? rest : timeout, () => this.look());
  }

  private look(): void {
    const timeout = this.timeout();
    const unusedFor = this.clock.now() - this.lastUse;
    if (timeout === 0 || unusedFor < timeout || !this.watch.mayStop()) this.arm();
    else this.watch.stop();
  }

  private timeout(): number {
    const wanted = this.watch.timeoutMs();
    return wanted === 0 ? 0 : Math.max(wanted, shortestIdleTime);
  }
}
