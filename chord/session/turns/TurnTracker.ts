import type { Clock } from '../../clock';
import type { ChordError } from '../../errors';
import type { Reading } from '../../protocol/envelopes';
import type { LedgerEntry } from '../state/Ledger';
import type { Change, SessionState } from '../state/SessionState';
import { isWork, Turn } from './Turn';
import { TurnWaiter, type EndedTurn, type WaitOptions } from './TurnWaiter';
import type { UsageBase } from './UsageMeter';

/** What the turns need of the session. */
export interface TurnTrackerDeps {
  clock: Clock;
  state(): SessionState;
  /** What the session had used when a turn begins. */
  usageBase(): UsageBase;
  /** Whether an active trigger takes this request. */
  isTaken(entry: LedgerEntry): boolean;
  /** The turn is over: the listeners get it. Called before the waiters are settled. */
  ended(outcome: EndedTurn): void;
}

/** Finds the turns in the stream of envelopes, and who waits for them. */
export class TurnTracker {
  private current: Turn | undefined;

  /** In the order in which they came: the first one gets the requests of the turn. */
  private readonly waiters = new Set<TurnWaiter>();

  /** Background results come between turns and belong to the next one. */
  private between: Reading[] = [];

  constructor(private readonly deps: TurnTrackerDeps) {}

  get running(): Turn | undefined {
    return this.current;
  }

  /** The turn rests until a question is answered: Chord itself is free for another message. */
  get isParked(): boolean {
    const { busy, parked, ledger } = this.deps.state();
    return this.current !== undefined && !busy && parked && ledger.open('question').length > 0;
  }

  /** Waits for the running turn, or for the next one if none runs. */
  wait(options: WaitOptions): TurnWaiter {
    const turn = options.joins ? this.current : undefined;
    const waiter = new TurnWaiter(options, turn, { remove: (item) => this.waiters.delete(item) });
    this.waiters.add(waiter);
    return waiter;
  }

  /** Hands out what is open already and nobody has: for a wait that begins in the middle of a turn. */
  routeOpen(): void {
    for (const entry of this.deps.state().ledger.open()) if (entry.action === null) this.route(entry);
  }

  /** Takes in one envelope, after the state did. */
  accept(reading: Reading, changes: readonly Change[]): void {
    if (isWork(reading)) this.work();
    if (!this.current && reading.type === 'background_result') this.between.push(reading);
    if (this.waiters.size === 0) this.current?.accept(reading);
    else for (const turn of this.observed()) turn.accept(reading);
    for (const change of changes) {
      if (change.kind === 'opened') {
        this.current?.noteRequest(change.entry.request.id, change.entry.request.kind);
        this.route(change.entry);
      }
    }
    if (reading.type === 'idle' && !reading.payload.suppress_user_notification) {
      this.endTurn(reading.payload.last_outcome);
    }
    if (reading.type === 'idle' || reading.type === 'status_response') this.settleJobs();
  }

  /** Nothing follows a decision, and Chord's `idle` has come before: the turn ends now. */
  endIdleTurn(): void {
    if (!this.deps.state().busy) this.endTurn(this.deps.state().lastOutcome ?? '');
  }

  /** Every wait ends: the process is gone, or n8n shuts down. */
  failAll(error: (wait: TurnWaiter) => ChordError): void {
    this.current = undefined;
    this.between = [];
    for (const waiter of [...this.waiters]) waiter.fail(error(waiter));
  }

  private work(): void {
    if (!this.current) {
      this.current = new Turn(this.deps.clock, this.deps.usageBase());
      for (const reading of this.between.splice(0)) this.current.accept(reading);
    }
    for (const waiter of [...this.waiters]) {
      waiter.begin(this.current);
      waiter.sawWork();
    }
  }

  /** The running turn, and finished ones whose jobs are waited for. */
  private observed(): Set<Turn> {
    const turns = new Set<Turn>(this.current ? [this.current] : []);
    for (const waiter of this.waiters) if (waiter.finished && waiter.turn) turns.add(waiter.turn);
    return turns;
  }

  private route(entry: LedgerEntry): void {
    const { current } = this;
    if (!current) return;
    const taken = this.deps.isTaken(entry);
    const { id } = entry.request;
    if (taken) current.noteHanded(id, 'trigger');
    for (const waiter of this.waiters) {
      const { decisions } = waiter.options;
      const observes = waiter.turn === current || waiter.finished !== undefined;
      if (observes && decisions !== 'leave' && !(decisions === 'auto' && taken)) {
        if (current.isHandedOut(id)) return;
        current.noteHanded(id, 'output');
        waiter.settle({ kind: 'decision', entries: [entry] });
        return;
      }
    }
  }

  /** An answer to such a request makes the work of a quiet session go on, so that its turn is not over. */
  private keepsTurnOpen(entry: LedgerEntry): boolean {
    return entry.request.kind === 'handoff' || (entry.protocol === 'C' && this.deps.state().parked);
  }

  private endTurn(lastOutcome: string): void {
    const turn = this.current;
    const { ledger, runningJobs } = this.deps.state();
    if (!turn || ledger.open().some((entry) => this.keepsTurnOpen(entry))) return;
    this.current = undefined;
    const outcome = this.endOf(turn, lastOutcome);
    this.deps.ended(outcome);
    for (const waiter of [...this.waiters]) {
      if (waiter.turn === turn && !waiter.finished) waiter.end(outcome, runningJobs ?? 0);
    }
  }

  /** Once no job is left, whoever waited for them has the whole. */
  private settleJobs(): void {
    const { busy, runningJobs, lastOutcome } = this.deps.state();
    if (this.current || busy || (runningJobs ?? 0) > 0) return;
    for (const waiter of [...this.waiters]) {
      if (waiter.finished && waiter.turn) waiter.settle(this.endOf(waiter.turn, lastOutcome ?? ''));
    }
  }

  private endOf(turn: Turn, lastOutcome: string): EndedTurn {
    const { capabilities, runningJobs } = this.deps.state();
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
