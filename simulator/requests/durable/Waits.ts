import type { Durable } from './question';

/** How waiting for a question ends: it was closed, a message let the call go on, or the turn was cancelled. */
export type WaitEnd = Durable | 'released' | 'cancelled';

/** The tool calls that wait for a question. */
export class Waits {
  private readonly ends = new Map<string, (end: WaitEnd) => void>();

  /** Waits for the end of one question. */
  for(id: string, signal: AbortSignal): Promise<WaitEnd> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve('cancelled');
        return;
      }
      const end = (result: WaitEnd) => {
        this.ends.delete(id);
        signal.removeEventListener('abort', stop);
        resolve(result);
      };
      const stop = () => end('cancelled');
      signal.addEventListener('abort', stop, { once: true });
      this.ends.set(id, end);
    });
  }

  /** Tells whoever waits that a question was closed. Gives whether anybody did. */
  closed(question: Durable): boolean {
    const end = this.ends.get(question.id);
    end?.(question);
    return end !== undefined;
  }

  /** Lets all go on without an answer. */
  release(): void {
    for (const end of [...this.ends.values()]) end('released');
  }

  /** Forgets them: their session was left. */
  forget(): void {
    this.ends.clear();
  }
}
