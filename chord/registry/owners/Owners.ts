import { randomBytes } from 'node:crypto';
import type { Clock, ClockTimer } from '../../clock';
import { ChordError } from '../../errors';
import { Heartbeat, heartbeatIds, readBeat } from './Heartbeat';
import { thisProcess, type ProcessIdentity } from './processIdentity';
import { Watch, type Standing } from './Watch';

/** How often this process shows that it lives, in milliseconds. */
const beatEveryMs = 10_000;

/**
 * The n8n processes that share our folder: this one, which shows by its heartbeat that it lives, and the others, whose
 * heartbeats tell whether what they own may be taken over.
 */
export class Owners {
  private readonly heartbeat: Heartbeat;

  private readonly watches = new Map<string, Watch>();

  private readonly deciding = new Set<() => void>();

  private readonly onBeat = new Set<() => void>();

  private readonly onGone = new Set<(owner: ProcessIdentity) => void>();

  /** Those already reported as gone. */
  private readonly gone = new Set<Watch>();

  private begun: Promise<void> | undefined;

  private timer: ClockTimer | undefined;

  private beating = false;

  private leaving = false;

  private ended = false;

  constructor(
    readonly folder: string,
    private readonly clock: Clock,
    /** This process, as locks and waits name it. */
    readonly me: ProcessIdentity = thisProcess(randomBytes(8).toString('hex')),
  ) {
    this.heartbeat = new Heartbeat(folder, this.me);
  }

  /**
   * Begins to show that this process lives, and to look out for others. To be awaited before the first file that names
   * this process as its owner.
   */
  begin(): Promise<void> {
    this.begun ??= this.firstBeat().catch((error: unknown) => {
      this.begun = undefined;
      throw error;
    });
    return this.begun;
  }

  isMe(owner: ProcessIdentity): boolean {
    return owner.id === this.me.id;
  }

  /** The state of another process, as far as it is known now. */
  async standing(owner: ProcessIdentity): Promise<Standing> {
    return this.isMe(owner) ? 'alive' : this.watchOf(owner).look();
  }

  /**
   * Waits until it is clear whether another process lives: 60 seconds at most.
   *
   * @throws ChordError `interrupted` when this n8n ends meanwhile
   */
  async verdict(owner: ProcessIdentity): Promise<'alive' | 'gone'> {
    for (;;) {
      const standing = await this.standing(owner);
      // Asked after the look: from here to the wait nothing comes between.
      if (this.leaving) throw new ChordError('interrupted', 'The wait ended because n8n is shutting down.');
      if (standing !== 'watched') return standing;
      await new Promise<void>((resolve) => this.deciding.add(resolve));
    }
  }

  /** Calls back at each beat, so that the owner of a lock can check that it still has it. Returns how to end that. */
  eachBeat(call: () => void): () => void {
    this.onBeat.add(call);
    return () => void this.onBeat.delete(call);
  }

  /** Calls back for every other process that is found to be gone. */
  whenGone(call: (owner: ProcessIdentity) => void): void {
    this.onGone.add(call);
  }

  /** This process begins to end: nothing is taken over any more, and nobody waits for a verdict. */
  leave(): void {
    this.leaving = true;
    for (const watch of this.watches.values()) watch.stop();
    this.decide();
  }

  /**
   * This process has ended, in good order. Synchronous, for its last moment.
   *
   * @param leavesSomething whether the next n8n has something to take over
   */
  end(leavesSomething: boolean): void {
    if (this.ended) return;
    this.ended = true;
    this.leave();
    this.timer?.cancel();
    if (this.begun) this.heartbeat.end(this.clock.now(), leavesSomething);
  }

  private async firstBeat(): Promise<void> {
    await this.heartbeat.begin(this.clock.now());
    if (this.ended) {
      this.heartbeat.end(this.clock.now(), false);
      return;
    }
    this.timer = this.clock.after(beatEveryMs, () => this.beat());
    await this.lookOut();
  }

  private beat(): void {
    this.timer = this.clock.after(beatEveryMs, () => this.beat());
    for (const call of this.onBeat) call();
    if (this.beating) return;
    this.beating = true;
    // One that cannot be written is tried again; the locks show whether another process has taken over meanwhile.
    void Promise.allSettled([this.heartbeat.beat(this.clock.now()), this.lookOut()]).then(() => {
      this.beating = false;
    });
  }

  /** Watches every other process that has a heartbeat: what it leaves behind must not depend on a later start of n8n. */
  private async lookOut(): Promise<void> {
    for (const id of heartbeatIds(this.folder)) {
      if (id === this.me.id || this.watches.has(id)) continue;
      const beat = await readBeat(this.folder, id);
      if (beat?.id === id) await this.standing(beat);
    }
  }

  private watchOf(owner: ProcessIdentity): Watch {
    // Files of a version without heartbeats name nothing but the process.
    const name = owner.id === '' ? JSON.stringify(owner) : owner.id;
    let watch = this.watches.get(name);
    if (!watch) {
      watch = new Watch(owner, this.folder, this.clock, (looked) => this.looked(looked));
      this.watches.set(name, watch);
    }
    return watch;
  }

  private looked(watch: Watch): void {
    if (this.leaving) return;
    const { standing, owner } = watch;
    if (standing !== 'watched') this.decide();
    if (standing !== 'gone') this.gone.delete(watch);
    else if (!this.gone.has(watch)) {
      this.gone.add(watch);
      for (const call of this.onGone) call(owner);
    }
  }

  private decide(): void {
    for (const resolve of this.deciding) resolve();
    this.deciding.clear();
  }
}
