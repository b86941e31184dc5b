import type { Runtime } from './runtime';

/** Knows when everything is quiet, and tells it by one `idle`. */
export class Quiet {
  /** An `idle` was told and nothing has happened since. False at the start: the first quiet moment tells one. */
  private told = false;
  /** An agent ran since the last `idle`. */
  private worked = false;
  /** The next `idle` is no finished task. */
  private suppress = false;

  constructor(private readonly runtime: Runtime) {}

  /** Something happened: the next quiet moment tells an `idle`. */
  stir(): void {
    this.told = false;
  }

  /** A model request began. */
  work(): void {
    this.worked = true;
  }

  /** What happens now is a change of settings, no task. */
  settings(): void {
    this.suppress = true;
  }

  /**
   * Tells `idle`, unless it was told already. `suppress_user_notification` says that no agent ran since the last one.
   *
   * Not measured: that builds with `seq` say so at any rest, and not only after a change of settings; `running_jobs`.
   */
  tell(runningJobs: number): void {
    const { runtime } = this;
    const suppressed = (runtime.profile.seq || this.suppress) && !this.worked;
    this.suppress = false;
    if (this.told) return;
    this.told = true;
    this.worked = false;
    const outcome = runtime.status.idle();
    runtime.confirms.clear();
    runtime.questions.clear();
    runtime.out.push('idle', {
      last_outcome: outcome,
      suppress_user_notification: suppressed,
      ...(runtime.profile.jobs ? { running_jobs: runningJobs } : {}),
    });
  }

  /** It is not quiet. A suppression is used up all the same, so that it does not reach a real task. */
  busy(): void {
    this.told = false;
    this.suppress = false;
  }
}
