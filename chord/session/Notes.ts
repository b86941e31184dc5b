/** Calls whose outcome is kept, over all nodes and executions of a session. */
const notesKept = 1000;

/**
 * What was written, by call: n8n's Retry On Fail and a repeated run of the same execution must get what the first try
 * came to, and write nothing.
 */
export class Notes {
  private readonly outcomes = new Map<string, Promise<unknown>>();

  /** Runs a call, unless one of the same name has written already. `written` is to be called before the write. */
  run<T>(callId: string, call: (note: { written(): void; withdrawn(): void }) => Promise<T>): Promise<T> {
    const noted = callId === '' ? undefined : this.outcomes.get(callId);
    if (noted) return noted as Promise<T>;
    let promise: Promise<T> | undefined;
    let early = false;
    const keep = (): void => {
      if (callId === '') return;
      if (promise) this.outcomes.set(callId, promise);
      else early = true;
      const [oldest] = this.outcomes.keys();
      if (this.outcomes.size > notesKept && oldest !== undefined) this.outcomes.delete(oldest);
    };
    promise = call({ written: keep, withdrawn: () => this.outcomes.delete(callId) });
    if (early) this.outcomes.set(callId, promise);
    return promise;
  }
}
