import type { Clock, ClockTimer } from '../../clock';
import type { Reading } from '../../protocol/envelopes';
import type { LedgerEntry } from '../state/Ledger';
import type { Listeners } from './Listeners';
import type { EventBuilder } from './EventBuilder';

/** Tells listeners of requests that open and close, and watches the time of those that have one. */
export class RequestNotifier {
  private readonly timers = new Map<string, ClockTimer>();

  /** Open requests that Chord may still push together with a prompt. */
  private readonly unprompted = new Set<string>();

  /** Open requests that were pushed and whose prompt has not come yet, in the order in which they were pushed. */
  private readonly promptsExpected = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly listeners: Listeners,
    private readonly events: EventBuilder,
    /** The time of a request is over. */
    private readonly expire: (requestId: string) => void,
  ) {}

  opened(entry: LedgerEntry, seq: number | null): void {
    this.arm(entry);
    // A durable question has no such prompt.
    if (entry.protocol !== 'C') this.unprompted.add(entry.request.id);
    this.listeners.publish(this.events.requestTraits(entry), () => this.events.request(entry, seq));
  }

  closed(entry: LedgerEntry): void {
    this.disarm(entry.request.id);
    this.unprompted.delete(entry.request.id);
    this.promptsExpected.delete(entry.request.id);
    // Our own answer is no news to anybody.
    if (entry.closedBecause === null) return;
    const { tool } = this.events.requestTraits(entry);
    // No request id: it would count as the request itself, which was told before.
    this.listeners.publish(
      { event: 'request_closed', isMain: true, suppressed: false, ...(tool !== undefined && { tool }) },
      () => this.events.closed(entry),
    );
  }

  /**
   * D1 and D2 do not tell when a request times out, so its time is watched here. Protocol C tells it, by Chord's own
   * clock.
   */
  arm(entry: LedgerEntry): void {
    if (entry.request.expires_at === null || entry.protocol === 'C') return;
    const { id, expires_at: expiresAt } = entry.request;
    const left = Math.max(0, Date.parse(expiresAt) - this.clock.now());
    this.timers.set(
      id,
      this.clock.after(left, () => this.expire(id)),
    );
  }

  /** An answer is on its way: time does not count any more. */
  disarm(requestId: string): void {
    this.timers.get(requestId)?.cancel();
    this.timers.delete(requestId);
  }

  /**
   * Chord pushed a request: its prompt follows. One that only a status showed has none to come, so that the next prompt
   * is about something else.
   */
  pushed(requestId: string): void {
    if (this.unprompted.delete(requestId)) this.promptsExpected.add(requestId);
  }

  /** The request that a `notification` prompts for: each pushed one has one prompt, the first after it. */
  promptFor(reading: Reading | undefined): string | undefined {
    if (reading?.type !== 'notification' || reading.payload.reason !== 'user_input_required')
      return undefined;
    const [first] = this.promptsExpected;
    if (first !== undefined) this.promptsExpected.delete(first);
    return first;
  }
}
