import type { Clock, ClockTimer } from '../../clock';
import { readBeat } from './Heartbeat';
import { seenByNumber, type ProcessIdentity } from './processIdentity';

/** The state of another process: `watched` until it is clear whether it lives. */
export type Standing = 'alive' | 'watched' | 'gone';

/** How often a heartbeat is looked at, in milliseconds; it is written each 10 s. */
const lookEveryMs = 5_000;

/** So many looks in a row that found no movement, and it is gone: 60 s of time that was really observed. */
const goneAfter = 12;

/** So many, and it no longer counts as alive. */
const doubtedAfter = 4;

/**
 * The eye on one other n8n process. Time is counted in looks: while this process does not run (a paused machine, a long
 * sleep) it does not look, and so sees nobody die.
 */
export class Watch {
  /** What the heartbeat said last; `null` where there was none, `undefined` before the first look. */
  private count: number | null | undefined;

  /** Looks in a row without movement. */
  private silent = 0;

  /** It was seen to live. */
  private seen = false;

  private gone = false;

  private looking: Promise<void> | undefined;

  private timer: ClockTimer | undefined;

  private stopped = false;

  constructor(
    readonly owner: ProcessIdentity,
    private readonly folder: string,
    private readonly clock: Clock,
    /** Something may have become clear. */
    private readonly looked: (watch: Watch) => void,
  ) {}

  get standing(): Standing {
    if (this.gone) return 'gone';
    return this.seen && this.silent <= doubtedAfter ? 'alive' : 'watched';
  }

  /** Looks now, and from then on regularly until the process is gone. One that comes back is watched again. */
  async look(): Promise<Standing> {
    this.looking ??= this.read().finally(() => {
      this.looking = undefined;
    });
    await this.looking;
    if (!this.gone && !this.stopped) this.timer ??= this.clock.after(lookEveryMs, () => this.tick());
    return this.standing;
  }

  /** No look by itself any more. */
  stop(): void {
    this.stopped = true;
    this.pause();
  }

  private pause(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private tick(): void {
    this.timer = this.clock.after(lookEveryMs, () => this.tick());
    // While a slow folder has not answered, nothing was observed.
    if (this.looking) return;
    this.silent += 1;
    void this.look();
  }

  private async read(): Promise<void> {
    const byNumber = seenByNumber(this.owner);
    const beat = this.owner.id === '' ? null : await readBeat(this.folder, this.owner.id);
    const moved = this.count !== undefined && beat !== null && beat.count !== this.count;
    // Its number is proof once: a process that is there but does nothing is gone like any other.
    if (moved || (this.count === undefined && byNumber === 'alive')) {
      this.seen = true;
      this.silent = 0;
    }
    this.count = beat === null ? (this.count ?? null) : beat.count;
    this.gone = byNumber === 'dead' || beat?.ended === true || this.silent >= goneAfter;
    if (this.gone) this.pause();
    this.looked(this);
  }
}
