/** Times that a `done` is sent back by itself before a person is asked. */
const INTERCEPTIONS = 10;

const GOAL = 'Continue and finish all remaining tasks in the current session.';

/** Loop mode: the agent works on until its `done` is accepted. */
export class Loop {
  enabled = false;
  private limit = INTERCEPTIONS;
  private intercepted = 0;

  /** Turns it on. Gives the announcement, which names the usual limit whatever was asked for (measured). */
  start(limit: number | undefined): string {
    this.enabled = true;
    this.limit = limit ?? INTERCEPTIONS;
    this.intercepted = 0;
    return `Loop enabled. Automatic Done interceptions: ${INTERCEPTIONS}.`;
  }

  stop(): void {
    this.enabled = false;
  }

  /** A person sent the agent back to work: it may be intercepted as often again. */
  rejected(): void {
    this.intercepted = 0;
  }

  /** Whether a `done` with open work is sent back by itself once more. */
  intercept(): boolean {
    if (this.limit > 0 && this.intercepted >= this.limit) return false;
    this.intercepted += 1;
    return true;
  }

  /** What is told when nobody decided about the end (measured). */
  undecided(): string {
    return `Loop requires user decision: automatic Done interception limit reached (${INTERCEPTIONS}). Approve exit or deny to continue.`;
  }

  /** The first message of a loop. Not measured: only the model sees it, and `continuation`. */
  anchor(target: string): string {
    return `LOOP\n\nTarget:\n- ${target}\nAutomatic Done interceptions: ${this.limit}`;
  }

  /** What keeps the agent going after an answer without a tool call. */
  continuation(): string {
    return `LOOP CONTINUE\n\n<loop-continuation>\nContinue required.\nAutomatic Done interceptions ${this.intercepted} of ${this.limit}.\n</loop-continuation>`;
  }
}

/** Reads `/loop on [target] [--max-iterations N]`; `undefined` when the number is none. */
export function parseLoopOn(text: string): { target: string; limit: number | undefined } | undefined {
  const rest = text.slice('/loop on'.length).trim();
  const flag = /^(.*?)--max-iterations(?:\s+(\S+))?(.*)$/s.exec(rest);
  const [, before = '', value = '', behind = ''] = flag ?? [];
  if (!flag) return { target: rest || GOAL, limit: undefined };
  const limit = Number(value);
  if (!value || !Number.isInteger(limit) || limit < 0) return undefined;
  return { target: `${before.trim()} ${behind.trim()}`.trim() || GOAL, limit };
}
