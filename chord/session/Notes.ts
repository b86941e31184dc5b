/** Calls whose outcome is kept, over all nodes and executions of a session. */
const notesKept = 1000;

/** What a call says of its write. */
export interface Note {
  /** Its line is about to be written: from now on the call counts. */
  written(): void;
  /** The line did not reach Chord: it may be tried again. */
  withdrawn(): void;
}

/**
 * What was written, by call: n8n's Retry On Fail and a repeated run of the same execution must get what the first try
 * came to, and write nothing.
 */
export class Notes {
  private readonly outcomes = new Map<string, Promise<unknown>>();

  /** Runs a call, unless one of the same name runs or has written already. */
  run<T>(callId: string, call: (note: Note) => Promise<T>): Promise<T> {
    const noted = callId === '' ? undefined : this.outcomes.get(callId);
    if (noted) return noted as Promise<T>;
    let kept = false;
    const promise = call({
      written: () => {
        kept = true;
      },
      withdrawn: () => {
        kept = false;
      },
    });
    if (callId !== '') this.keep(callId, promise, () => kept);
    return promise;
  }

  private keep(callId: string, promise: Promise<unknown>, isKept: () => boolean): void {
    this.outcomes.set(callId, promise);
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > notesKept && oldest !== undefined) this.outcomes.delete(oldest);
    const over = (): void => {
      if (!isKept()) this.outcomes.delete(callId);
    };
    promise.then(over, over);
  }
}
