import { noNote, type CallNote } from './control/CallNote';
import type { CallKeeper } from './SessionHost';

/** Calls whose outcome is kept, over all nodes and executions of a session. */
const notesKept = 1000;

/** How far one call has come. */
interface Progress {
  /** It counts as written on the disk. */
  marked: boolean;
  written: boolean;
  over: boolean;
}

/**
 * What was written, by call: n8n's Retry On Fail and a repeated run of the same execution must get what the first try
 * came to, and write nothing, also after a restart of n8n.
 */
export class Notes {
  private readonly outcomes = new Map<string, Promise<unknown>>();

  constructor(private readonly keeper: CallKeeper) {}

  /** Runs a call, unless one of the same name runs or has written already. */
  run<T>(callId: string, call: (note: CallNote) => Promise<T>): Promise<T> {
    if (callId === '') return call(noNote);
    const noted = this.outcomes.get(callId) ?? this.keeper.earlier(callId);
    if (noted) return noted as Promise<T>;
    const progress: Progress = { marked: false, written: false, over: false };
    const promise = call(this.note(callId, progress));
    this.keep(callId, promise, progress);
    return promise;
  }

  private note(callId: string, progress: Progress): CallNote {
    return {
      ready: async () => {
        await this.keeper.stillWanted(callId);
        if (progress.over) return;
        progress.marked = true;
        await this.keeper.writing(callId);
      },
      written: () => {
        progress.written = true;
      },
      withdrawn: () => {
        progress.written = false;
        this.unmark(callId, progress);
      },
    };
  }

  private unmark(callId: string, progress: Progress): void {
    if (progress.marked) this.keeper.withdrawn(callId);
    progress.marked = false;
  }

  private keep(callId: string, promise: Promise<unknown>, progress: Progress): void {
    this.outcomes.set(callId, promise);
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > notesKept && oldest !== undefined) this.outcomes.delete(oldest);
    const over = (): void => {
      progress.over = true;
      if (progress.written) {
        this.keeper.ended(callId, promise);
        return;
      }
      this.outcomes.delete(callId);
      this.unmark(callId, progress);
    };
    promise.then(over, over);
  }
}
