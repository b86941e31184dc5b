import { ChordError } from '../../../errors';
import { byteSize } from '../../state/byteSize';
import { noNote, type CallNote } from './CallNote';
import type { KeptBytes } from '../../state/KeptBytes';
import type { CallKeeper } from '../../core/SessionHost';

/** Calls whose outcome is kept at most, over all nodes and executions of a session. */
const notesKept = 1000;

/** Calls of which is remembered that they were made, when their outcome is dropped. About 100 bytes each. */
const namesKept = 10_000;

const dropped = (): ChordError =>
  new ChordError('result_dropped', 'This was written to Chord before, and its result is no longer kept.', {
    description:
      'Nothing is sent again. The result was output when it came; what Chord did can be seen in its session and in the project.',
    details: { written: true },
  });

/** How far one call has come. */
interface Progress {
  /** It counts as written on the disk. */
  marked: boolean;
  written: boolean;
  over: boolean;
}

/** What the store needs of the session around it. */
export interface IdempotencyStoreDeps {
  calls: CallKeeper;
  /** What the session keeps. */
  kept: KeptBytes;
}

/**
 * What was written, by call: n8n's Retry On Fail and a repeated run of the same execution must get what the first try
 * came to, and write nothing, also after a restart of n8n.
 */
export class IdempotencyStore {
  private readonly outcomes = new Map<string, Promise<unknown>>();

  /** Calls that were written and have ended, the oldest first. */
  private readonly ended = new Set<string>();

  /** Calls that were written and whose outcome was dropped. */
  private readonly dropped = new Set<string>();

  constructor(private readonly deps: IdempotencyStoreDeps) {}

  /** Runs a call, unless one of the same name runs or has written already. */
  run<T>(callId: string, call: (note: CallNote) => Promise<T>): Promise<T> {
    if (callId === '') return call(noNote);
    const noted = this.outcomes.get(callId) ?? this.deps.calls.earlier(callId);
    if (noted) return noted as Promise<T>;
    if (this.dropped.has(callId)) return Promise.reject(dropped());
    const progress: Progress = { marked: false, written: false, over: false };
    const promise = call(this.note(callId, progress));
    this.keep(callId, promise, progress);
    return promise;
  }

  private note(callId: string, progress: Progress): CallNote {
    return {
      ready: async () => {
        await this.deps.calls.stillWanted(callId);
        if (progress.over) return;
        progress.marked = true;
        await this.deps.calls.writing(callId);
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
    if (progress.marked) this.deps.calls.withdrawn(callId);
    progress.marked = false;
  }

  private keep(callId: string, promise: Promise<unknown>, progress: Progress): void {
    this.outcomes.set(callId, promise);
    const over = (outcome: unknown): void => {
      progress.over = true;
      if (progress.written) {
        this.deps.calls.ended(callId, promise);
        this.keepOutcome(callId, outcome);
        return;
      }
      this.outcomes.delete(callId);
      this.unmark(callId, progress);
    };
    promise.then(over, over);
  }

  private keepOutcome(callId: string, outcome: unknown): void {
    this.deps.kept.keep(byteSize(outcome), () => this.drop(callId));
    const [oldest] = this.ended.add(callId);
    if (this.ended.size > notesKept && oldest !== undefined) this.drop(oldest);
  }

  /** The outcome goes, and that the call was written stays. */
  private drop(callId: string): void {
    this.ended.delete(callId);
    this.outcomes.delete(callId);
    const [oldest] = this.dropped.add(callId);
    if (this.dropped.size > namesKept && oldest !== undefined) this.dropped.delete(oldest);
  }
}
