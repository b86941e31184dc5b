import type { CallControl } from '../../session';

/** The named calls that are under way in all sessions, so that each can be ended by its name. */
export class RunningCalls {
  private readonly running = new Map<string, Set<AbortController>>();

  /**
   * Makes a call that {@link cancel} can end, from this very moment on.
   *
   * @param callId empty for a call that nobody can name
   * @param from ends it as well
   */
  async run<Result>(
    callId: string,
    from: CallControl,
    call: (control: CallControl) => Promise<Result>,
  ): Promise<Result> {
    if (callId === '') return await call(from);
    const controller = new AbortController();
    const { signal } = controller;
    const sameName = this.running.get(callId) ?? new Set();
    this.running.set(callId, sameName.add(controller));
    try {
      return await call({ signal: from.signal ? AbortSignal.any([from.signal, signal]) : signal });
    } finally {
      sameName.delete(controller);
      if (sameName.size === 0) this.running.delete(callId);
    }
  }

  /** @returns false when no call of this name is under way */
  cancel(callId: string): boolean {
    const calls = this.running.get(callId);
    for (const controller of calls ?? []) controller.abort();
    return calls !== undefined;
  }
}
