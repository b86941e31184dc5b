import type { ChordError } from '../../errors';
import type { DecisionsMode, TurnDocument } from '../contract';
import type { LedgerEntry } from '../state/Ledger';
import type { Turn, TurnEnd } from './Turn';
import type { UsageBase } from './UsageMeter';

/** A turn that is over. */
export interface EndedTurn {
  kind: 'ended';
  end: TurnEnd;
  turn: TurnDocument;
  text: string;
  error: string;
  usageBase: UsageBase;
}

/** How a wait for a turn ended. */
export type TurnOutcome = EndedTurn | { kind: 'decision'; entries: LedgerEntry[] };

/** What shows that the turn is the caller's: nothing more, work seen from now on, or the receipt of its message. */
type WaitNeed = 'nothing' | 'work' | 'receipt';

/** How to wait. */
export interface WaitOptions {
  decisions: DecisionsMode;
  /** Also for the background jobs of the turn. */
  jobs: boolean;
  /** For the running turn, if one runs; else for the one that begins next. */
  joins: boolean;
  /** A turn that ends before is another one's: an `idle` may have been on its way when the message was written. */
  needs: WaitNeed;
  /** Called once the turn is known to be the caller's. */
  began?: () => void;
  /** Called when a turn ended too early to be the caller's; `settle` takes it all the same. */
  onForeignTurn?: (settle: () => void) => void;
}

/** What a waiter needs of whoever keeps it. */
export interface TurnWaiterDeps {
  /** It waits no longer. @returns whether it did until now */
  remove(waiter: TurnWaiter): boolean;
}

/** Somebody who waits for the running turn, or for the one that begins next. */
export class TurnWaiter {
  readonly done: Promise<TurnOutcome>;

  /** The finished turn, while its background jobs are waited for. */
  finished: TurnDocument | undefined;

  private resolve: (outcome: TurnOutcome) => void = () => undefined;

  private reject: (error: ChordError) => void = () => undefined;

  private isConfirmed: boolean;

  private hasBegun = false;

  constructor(
    readonly options: WaitOptions,
    /** The turn that is waited for; `undefined` while none began. */
    public turn: Turn | undefined,
    private readonly deps: TurnWaiterDeps,
  ) {
    this.isConfirmed = options.needs === 'nothing';
    this.done = new Promise<TurnOutcome>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.done.catch(() => undefined);
  }

  /** The turn is known to be the caller's. */
  get hasTurn(): boolean {
    return this.turn !== undefined && this.isConfirmed;
  }

  /** Chord has taken the message: from now on an `idle` counts. */
  confirm(): void {
    this.isConfirmed = true;
    this.look();
  }

  /** A turn has begun, and nobody else's is waited for. */
  begin(turn: Turn): void {
    this.turn ??= turn;
    this.look();
  }

  /** Work was seen. */
  sawWork(): void {
    if (this.options.needs === 'work') this.confirm();
  }

  /** The turn is over. */
  end(outcome: EndedTurn, runningJobs: number): void {
    // What Chord had queued enters the conversation with a cancel, and nobody answers it (measured).
    if (!this.isConfirmed && outcome.end !== 'cancelled') {
      this.turn = undefined;
      this.options.onForeignTurn?.(() => {
        if (!this.turn) this.settle(outcome);
      });
    } else if (this.options.jobs && runningJobs > 0 && outcome.end === 'completed') {
      this.finished = outcome.turn;
    } else {
      this.settle(outcome);
    }
  }

  settle(outcome: TurnOutcome): void {
    if (this.deps.remove(this)) this.resolve(outcome);
  }

  /** Ends the wait from outside: time limit, stop, refused message. Harmless when it is over. */
  fail(error: ChordError): void {
    if (this.deps.remove(this)) this.reject(error);
  }

  /** Ends it with a result that is no turn, e.g. of a local command. */
  leave(): void {
    this.deps.remove(this);
  }

  private look(): void {
    if (!this.hasTurn || this.hasBegun) return;
    this.hasBegun = true;
    this.options.began?.();
  }
}
