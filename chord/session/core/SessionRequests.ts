import type { Clock } from '../../clock';
import { approvalOffer } from '../offers/approvalOffer';
import type { Attribution, ChordEvent, FormOption } from '../contract';
import type { UnconfirmedInputs } from '../input/UnconfirmedInputs';
import { byteSize } from '../state/byteSize';
import type { KeptBytes } from '../state/KeptBytes';
import type { LedgerEntry } from '../state/Ledger';
import {
  cancelAll,
  close,
  closeById,
  expiredAs,
  markUnknown,
  supersede,
  withAction,
  withOffer,
} from '../state/requestTransitions';
import type { SessionState } from '../state/SessionState';
import type { Turn } from '../turns/Turn';
import { Deadlines } from './Deadlines';
import type { StateStore } from './StateStore';

/** What the requests need of the session around them. */
export interface SessionRequestsDeps {
  clock: Clock;
  store: StateStore;
  runningTurn(): Turn | undefined;
  inputs: UnconfirmedInputs;
  /** What the session keeps. */
  kept: KeptBytes;
}

/** What is done with the requests of a session from this side: claimed, given back, closed. */
export class SessionRequests {
  private readonly deadlines: Deadlines;

  /** Ends the counting of a closed request's bytes, by id. */
  private readonly kept = new Map<string, () => void>();

  constructor(private readonly deps: SessionRequestsDeps) {
    this.deadlines = new Deadlines({ clock: deps.clock, expire: (id) => this.expire(id) });
  }

  /** Marks a decision as on its way, so that no second one is let through; its time does not count any more. */
  claim(
    requestId: string,
    action: NonNullable<LedgerEntry['action']>,
    reason: string,
    attribution?: Attribution,
  ): void {
    const entry = this.get(requestId);
    if (entry && 'report' in entry.request && action === 'deny') {
      this.deps.runningTurn()?.noteDeniedReport(reason);
    }
    this.deps.store.set(withAction(this.state, requestId, action, attribution));
    this.deadlines.disarm(requestId);
  }

  /** Gives a claim back: the answer did not count, so that the request is still open. */
  withdraw(requestId: string): void {
    this.deps.inputs.settleAnswer(requestId);
    const entry = this.get(requestId);
    if (entry?.state !== 'open') return;
    if ('report' in entry.request) this.deps.runningTurn()?.noteDeniedReport(null);
    this.deps.store.set(withAction(this.state, requestId, null));
    this.deadlines.arm(entry);
  }

  /** Nothing tells how a durable question stands; the next status that names it does. */
  markUnknown(requestId: string): void {
    this.deps.store.set(markUnknown(this.state, requestId, this.now));
  }

  /** A message was written or admitted: it closes what was open and had not been answered before it. */
  supersede(answered: ReadonlySet<string>): void {
    // Chord denies a report that waits to be accepted, and tells it all the same.
    const report = this.state.ledger.open().find(({ request }) => 'report' in request);
    if (report && !answered.has(report.request.id)) {
      this.deps.runningTurn()?.noteDeniedReport('A message came instead.');
    }
    this.deps.store.apply(supersede(this.state, answered, this.now));
  }

  /** A `cancel` was written: it closes these, also one that was answered after it. */
  cancelAll(ids: ReadonlySet<string>): void {
    this.deps.store.apply(cancelAll(this.state, ids, this.now));
  }

  /** Closes a request by what Chord said of it in a receipt. */
  closeAs(entry: LedgerEntry, action: NonNullable<LedgerEntry['action']>): void {
    const now = this.get(entry.request.id) ?? entry;
    this.deps.store.apply(close(this.state, now, action, 'event', this.now));
  }

  /** The same by Chord's own word. */
  closeById(requestId: string, word: string): void {
    this.deps.store.apply(closeById(this.state, requestId, word, this.now));
  }

  /** Closes a request whose time is over, should its timer come too late. */
  expireIfDue(requestId: string): void {
    const entry = this.get(requestId);
    const expiresAt = entry?.request.expires_at ?? null;
    if (expiresAt === null || entry?.protocol === 'C' || Date.parse(expiresAt) > this.now) return;
    this.expire(requestId);
  }

  /**
   * Notes what the form of a request offers to somebody who gets it, since nothing else is accepted from it.
   *
   * @returns the event with that offer
   */
  recordOffer(event: ChordEvent, options: readonly FormOption[]): ChordEvent {
    const entry = event.request && this.get(event.request.id);
    if (!entry || options.length === 0) return event;
    const offer = approvalOffer(entry, options);
    this.deps.store.set(withOffer(this.state, entry.request.id, offer));
    return { ...event, offer };
  }

  /** A request has opened: its time counts. */
  watchTime(entry: LedgerEntry): void {
    this.deadlines.arm(entry);
  }

  /** A request has closed: its time does not count any more, and its details are kept while there is room for them. */
  keepClosed({ request, payload }: LedgerEntry): void {
    const { id } = request;
    this.deadlines.disarm(id);
    this.deps.inputs.settleAnswer(id);
    this.kept.get(id)?.();
    const release = this.deps.kept.keep(byteSize([request, payload]), () => {
      this.kept.delete(id);
      this.deps.store.set({ ...this.state, ledger: this.state.ledger.withoutDetails(id) });
    });
    if (this.get(id)?.detailsDropped !== true) this.kept.set(id, release);
  }

  private expire(requestId: string): void {
    const entry = this.get(requestId);
    if (entry?.state !== 'open' || entry.action !== null) return;
    this.deps.store.apply(close(this.state, entry, expiredAs(entry), 'event', this.now));
  }

  private get state(): SessionState {
    return this.deps.store.state;
  }

  private get now(): number {
    return this.deps.clock.now();
  }

  private get(requestId: string): LedgerEntry | undefined {
    return this.state.ledger.get(requestId);
  }
}
