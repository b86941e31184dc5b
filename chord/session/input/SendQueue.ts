import { ChordError } from '../../errors';
import type { SendRequest } from '../contract';
import type { LedgerEntry } from '../state/Ledger';

/** What a message that wants in finds. */
interface Situation {
  /** Open requests that a message would close. */
  open: readonly LedgerEntry[];
  /** A turn runs, or a message before this one has not been taken up yet. */
  busy: boolean;
}

/** What to do with a message now. */
export type Verdict =
  | { kind: 'go'; joins: boolean; dismisses: string[] }
  | { kind: 'wait' }
  | { kind: 'skip'; reason: string };

/** A verdict that ends the waiting. */
export type LetIn = Exclude<Verdict, { kind: 'wait' }>;

/** What a message says of how it may go in. */
export interface Rules
  extends Pick<SendRequest, 'whenBusy' | 'whenRequestOpen' | 'heldRequests' | 'releaseHeld'> {
  /** Once it is let in nobody else is, until its place is given free: it changes the session that it goes to. */
  alone?: boolean;
}

const listed = (open: readonly LedgerEntry[]): string =>
  open.map(({ request }) => `${request.kind} ${request.id}`).join(', ');

/** Those that a message written now takes along: an answer that is on its way comes before it. */
const unanswered = (open: readonly LedgerEntry[]): string[] =>
  open.filter(({ action }) => action === null).map(({ request }) => request.id);

function requestOpenError(open: readonly LedgerEntry[], why: string): ChordError {
  return new ChordError(
    'request_open',
    `Nothing was sent: the session is waiting for a decision (${listed(open)}).`,
    {
      description: `${why} Answer it first, or choose another setting of "If a Request Is Open".`,
      ...(open[0] && { requestId: open[0].request.id }),
      details: { open_requests: open.map(({ request }) => request) },
    },
  );
}

/**
 * Judges a message: open requests first, since Chord would close them, then whether something runs.
 *
 * @throws ChordError `request_open` or `session_busy`
 */
function judge(rules: Rules, { open, busy }: Situation): Verdict {
  if (open.length > 0) {
    const held = open.filter(({ request }) => rules.heldRequests.includes(request.id));
    switch (rules.whenRequestOpen) {
      case 'dismiss':
        return { kind: 'go', joins: true, dismisses: unanswered(open) };
      case 'skip':
        return { kind: 'skip', reason: `the session is waiting for a decision: ${listed(open)}` };
      case 'wait':
        if (held.length === 0) return { kind: 'wait' };
        throw requestOpenError(held, 'This execution holds the request itself and would wait forever.');
      case 'fail':
        throw requestOpenError(open, 'Chord would deny it as soon as the next message comes.');
    }
  }
  if (!busy) return { kind: 'go', joins: false, dismisses: [] };
  switch (rules.whenBusy) {
    case 'wait':
      return { kind: 'wait' };
    case 'join':
      return { kind: 'go', joins: true, dismisses: [] };
    case 'skip':
      return { kind: 'skip', reason: 'the session is busy' };
    case 'fail':
      throw new ChordError(
        'session_busy',
        'Nothing was sent: Chord is working on something else in this session.',
        {
          description: 'Try again later, or choose another setting of "If Chord Is Busy".',
        },
      );
  }
}

/** What is being changed takes in no other message, whatever that one is ready to join. */
const withoutJoining = (rules: Rules): Rules =>
  rules.whenBusy === 'join' ? { ...rules, whenBusy: 'wait' } : rules;

interface Ticket {
  rules: Rules;
  resolve(verdict: LetIn): void;
  reject(error: unknown): void;
}

function newTicket(rules: Rules): { ticket: Ticket; verdict: Promise<LetIn> } {
  let ticket: Ticket = { rules, resolve: () => undefined, reject: () => undefined };
  const verdict = new Promise<LetIn>((resolve, reject) => {
    ticket = { rules, resolve, reject };
  });
  verdict.catch(() => undefined);
  return { ticket, verdict };
}

/** A message on its way in. */
export interface Entry {
  verdict: Promise<LetIn>;
  /** Is judged again, as the first of all: something took time between the verdict and the write. */
  again(): Promise<LetIn>;
  /** It has no verdict yet. */
  readonly waits: boolean;
  /** Gives the place free: the message was taken up, or will not be written. */
  leave(): void;
}

/** What the queue needs of the session around it. */
export interface SendQueueDeps {
  situation(): Situation;
  /**
   * Looks whether the session takes such a message at all: when it comes, and when it is let in.
   *
   * @throws ChordError why it does not
   */
  check(rules: Rules): void;
}

/**
 * Our own queue: messages that wait go in one after the other, so that each gets its own turn and no `idle` settles
 * two. Chord's own queue is only used by those that join on purpose.
 */
export class SendQueue {
  private readonly waiting: Ticket[] = [];

  /** The message that has been let in and has not been taken up yet. */
  private active: Ticket | undefined;

  constructor(private readonly deps: SendQueueDeps) {}

  /** Messages that wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** True while a message was let in and Chord has not begun with it. */
  get settling(): boolean {
    return this.active !== undefined;
  }

  /**
   * Asks to be let in.
   *
   * @throws ChordError where the session takes no such message now
   */
  enter(rules: Rules): Entry {
    this.deps.check(rules);
    const { ticket, verdict } = newTicket(rules);
    this.waiting.push(ticket);
    this.admit(ticket);
    let mine = ticket;
    const { waiting } = this;
    return {
      verdict,
      get waits() {
        return waiting.includes(mine);
      },
      again: () => {
        this.remove(mine);
        const anew = newTicket(rules);
        mine = anew.ticket;
        this.waiting.unshift(mine);
        this.admit(mine);
        return anew.verdict;
      },
      leave: () => {
        this.remove(mine);
        this.pump();
      },
    };
  }

  /** Looks at the first one that waits again; call it after every change of the session's state. */
  pump(): void {
    let first = this.waiting[0];
    while (first && this.admit(first)) first = this.waiting[0];
  }

  /** Everybody who waits gets the error. */
  failAll(error: ChordError): void {
    for (const ticket of this.waiting.splice(0)) ticket.reject(error);
    this.active = undefined;
  }

  private judge(ticket: Ticket): Verdict {
    const { open, busy } = this.deps.situation();
    const other = this.active === ticket ? undefined : this.active;
    if (other?.rules.alone) return judge(withoutJoining(ticket.rules), { open: [], busy: true });
    return judge(ticket.rules, { open, busy: busy || other !== undefined });
  }

  /** True when the ticket does not wait any longer. */
  private admit(ticket: Ticket): boolean {
    let verdict: Verdict;
    try {
      verdict = this.judge(ticket);
      if (verdict.kind === 'go') this.deps.check(ticket.rules);
    } catch (error) {
      this.remove(ticket);
      ticket.reject(error);
      return true;
    }
    if (verdict.kind === 'wait') return false;
    this.remove(ticket);
    if (verdict.kind === 'go' && (ticket.rules.alone || !verdict.joins)) this.active = ticket;
    ticket.resolve(verdict);
    return true;
  }

  private remove(ticket: Ticket): void {
    const index = this.waiting.indexOf(ticket);
    if (index >= 0) this.waiting.splice(index, 1);
    if (this.active === ticket) this.active = undefined;
  }
}
