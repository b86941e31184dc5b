import type { Clock } from '../clock';
import { ChordError } from '../errors';
import type { Reading } from '../protocol/envelopes';
import type { DecisionsMode, TurnDocument, UsageDocument } from './contract';
import { openEntries, type LedgerEntry } from './Ledger';
import type { Change, SessionState } from './SessionState';
import { isWork, Turn, type TurnEnd } from './Turn';

/** How a wait for a turn ended. */
export type TurnOutcome =
  | { kind: 'ended'; end: TurnEnd; turn: TurnDocument; text: string; error: string; usageBase: UsageDocument }
  | { kind: 'decision'; entries: LedgerEntry[] };

/** Somebody who waits for the running turn, or for the one that begins next. */
export interface TurnWait {
  readonly done: Promise<TurnOutcome>;
  /** Ends the wait from outside: time limit, stop, refused message. Harmless when it is over. */
  fail(error: ChordError): void;
  /** Ends it with a result that is no turn, e.g. of a local command. */
  leave(): void;
  /** The turn that is waited for; `undefined` while none began. */
  readonly turn: Turn | undefined;
  /** The finished turn, while its background jobs are waited for. */
  readonly finished: TurnDocument | undefined;
}

interface Waiter extends TurnWait {
  turn: Turn | undefined;
  finished: TurnDocument | undefined;
  readonly decisions: DecisionsMode;
  readonly jobs: boolean;
  settle(outcome: TurnOutcome): void;
  began(): void;
}

/** How to wait. */
export interface WaitOptions {
  decisions: DecisionsMode;
  /** Also for the background jobs of the turn. */
  jobs: boolean;
  /** For the running turn, if one runs; else for the one that begins next. */
  joins: boolean;
  /** Called when the turn that is waited for begins. */
  began?: () => void;
}

/** What the turns need of the session. */
export interface TurnsHost {
  state(): SessionState;
  /** What the session had used when a turn begins. */
  usageBase(): UsageDocument;
  /** Whether an active trigger takes this request. */
  isTaken(entry: LedgerEntry): boolean;
  /** The turn is over: tell the listeners, and settle what waits for it. Called before the waiters are settled. */
  ended(outcome: Extract<TurnOutcome, { kind: 'ended' }>): void;
}

/** A request that keeps a quiet session's turn open: an answer to it makes the work go on. */
const keepsTurnOpen = (entry: LedgerEntry): boolean =>
  entry.request.kind === 'handoff' || entry.protocol === 'C';

/** Finds the turns in the stream of envelopes, and who waits for them. */
export class Turns {
  private current: Turn | undefined;

  /** In the order in which they came: the first one gets the requests of the turn. */
  private readonly waiters = new Set<Waiter>();

  /** Background results come between turns and belong to the next one. */
  private between: Reading[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly host: TurnsHost,
  ) {}

  get running(): Turn | undefined {
    return this.current;
  }

  get waiting(): number {
    return this.waiters.size;
  }

  /** Waits for the running turn, or for the next one if none runs. */
  wait(options: WaitOptions): TurnWait {
    let settle: Waiter['settle'] = () => undefined;
    let reject: (error: ChordError) => void = () => undefined;
    const done = new Promise<TurnOutcome>((resolve, refuse) => {
      settle = resolve;
      reject = refuse;
    });
    done.catch(() => undefined);
    const waiter: Waiter = {
      done,
      turn: options.joins ? this.current : undefined,
      finished: undefined,
      decisions: options.decisions,
      jobs: options.jobs,
      began: options.began ?? (() => undefined),
      settle: (outcome) => {
        if (this.waiters.delete(waiter)) settle(outcome);
      },
      fail: (error) => {
        if (this.waiters.delete(waiter)) reject(error);
      },
      leave: () => {
        this.waiters.delete(waiter);
      },
    };
    this.waiters.add(waiter);
    return waiter;
  }

  /** Hands out what is open already and nobody has: for a wait that begins in the middle of a turn. */
  routeOpen(): void {
    for (const entry of openEntries(this.host.state().ledger)) if (entry.action === null) this.route(entry);
  }

  /** Takes in one envelope, after the state did. */
  take(reading: Reading, changes: readonly Change[]): void {
    if (!this.current && isWork(reading)) this.begin();
    if (!this.current && reading.type === 'background_result') this.between.push(reading);
    for (const turn of this.observed()) turn.take(reading);
    for (const change of changes) {
      if (change.kind === 'opened') {
        this.current?.noteRequest(change.entry.request.id, change.entry.request.kind);
        this.route(change.entry);
      }
    }
    if (reading.type === 'idle' && !reading.payload.suppress_user_notification) {
      this.quiet(reading.payload.last_outcome);
    }
  }

  /** A handoff was cancelled on a Chord whose `idle` had come before: no turn follows, so this one ends now. */
  endQuietTurn(): void {
    if (!this.host.state().busy) this.quiet(this.host.state().lastOutcome ?? '');
  }

  /** Every wait ends: the process is gone, or n8n shuts down. */
  failAll(error: (wait: TurnWait) => ChordError): void {
    this.current = undefined;
    this.between = [];
    for (const waiter of [...this.waiters]) waiter.fail(error(waiter));
  }

  private begin(): void {
    this.current = new Turn(this.clock, this.host.usageBase());
    for (const reading of this.between.splice(0)) this.current.take(reading);
    for (const waiter of [...this.waiters]) {
      if (!waiter.turn) {
        waiter.turn = this.current;
        waiter.began();
      }
    }
  }

  /** The running turn, and finished ones whose jobs are waited for. */
  private observed(): Set<Turn> {
    const turns = new Set<Turn>(this.current ? [this.current] : []);
    for (const waiter of this.waiters) if (waiter.finished && waiter.turn) turns.add(waiter.turn);
    return turns;
  }

  private route(entry: LedgerEntry): void {
    const taken = this.host.isTaken(entry);
    const { id } = entry.request;
    if (taken) this.current?.noteHanded(id, 'trigger');
    for (const waiter of this.waiters) {
      if (waiter.turn === this.current && this.current && waiter.decisions !== 'leave') {
        if (waiter.decisions === 'auto' && taken) return;
        if (this.current.isHandedOut(id)) return;
        this.current.noteHanded(id, 'output');
        waiter.settle({ kind: 'decision', entries: [entry] });
        return;
      }
    }
  }

  private quiet(lastOutcome: string): void {
    const turn = this.current;
    const { ledger, runningJobs } = this.host.state();
    if (turn && !openEntries(ledger).some(keepsTurnOpen)) {
      this.current = undefined;
      const outcome = this.endOf(turn, lastOutcome);
      this.host.ended(outcome);
      this.settleEnded(turn, outcome, runningJobs ?? 0);
    }
    if ((runningJobs ?? 0) === 0) this.settleJobs(lastOutcome);
  }

  private settleEnded(turn: Turn, outcome: Extract<TurnOutcome, { kind: 'ended' }>, jobs: number): void {
    for (const waiter of [...this.waiters]) {
      if (waiter.turn === turn && !waiter.finished) {
        if (waiter.jobs && jobs > 0 && outcome.end === 'completed') waiter.finished = outcome.turn;
        else waiter.settle(outcome);
      }
    }
  }

  private settleJobs(lastOutcome: string): void {
    for (const waiter of [...this.waiters]) {
      if (waiter.finished && waiter.turn) waiter.settle(this.endOf(waiter.turn, lastOutcome));
    }
  }

  private endOf(turn: Turn, lastOutcome: string): Extract<TurnOutcome, { kind: 'ended' }> {
    const { capabilities, runningJobs } = this.host.state();
    // Builds with a versioned status hide their retries, so that their outcome can be believed.
    const end = turn.end(lastOutcome, capabilities.versioned_status === true);
    return {
      kind: 'ended',
      end,
      turn: turn.document(lastOutcome, runningJobs, end),
      text: turn.text,
      error: turn.lastError,
      usageBase: turn.usageBase,
    };
  }
}
