import type { ITriggerFunctions } from 'n8n-workflow';
import { ChordError, type ChordEvent, type EventFilter } from '../../chord';
import { reportFailure } from './failures';

const exit = 'process_exited';

/** Decides what becomes of each event that reaches the trigger: an item, or a report where Chord ended unasked. */
export class EventIntake {
  /** What came of a start that is under way: published with its outcome, not beside it. */
  private withheld: ChordEvent | undefined;

  private isStarting = false;

  /**
   * @param chosen the events that the user wants as items
   * @param signal aborted when the trigger is closed: nothing is taken in from then on
   */
  constructor(
    private readonly context: ITriggerFunctions,
    private readonly chosen: EventFilter,
    private readonly signal: AbortSignal,
    private readonly deliver: (event: ChordEvent) => Promise<void>,
  ) {}

  /** What the trigger listens to. An unexpected end always, since it is reported even where it makes no item. */
  get filter(): EventFilter {
    const { events } = this.chosen;
    return events === 'all' || events.includes(exit)
      ? this.chosen
      : { ...this.chosen, events: [...events, exit] };
  }

  /** @returns settled when it is done with the event */
  async receive(event: ChordEvent): Promise<void> {
    if (event.event !== exit || (this.isChosen(exit) && !this.isStarting)) {
      await this.deliver(event);
    } else if (this.signal.aborted) {
      return;
    } else if (this.isStarting) {
      this.withheld = event;
    } else {
      const error = new ChordError(exit, event.summary, { description: event.text });
      reportFailure(this.context, error);
    }
  }

  /** Starts Chord. An end of Chord meanwhile is withheld until {@link releaseWithheld}. */
  async whileStarting(start: () => Promise<void>): Promise<void> {
    this.isStarting = true;
    try {
      await start();
    } finally {
      this.isStarting = false;
    }
  }

  /** Publishes what was withheld; false if nothing was. */
  releaseWithheld(): boolean {
    const { withheld } = this;
    this.withheld = undefined;
    if (withheld) void this.receive(withheld);
    return withheld !== undefined;
  }

  private isChosen(event: string): boolean {
    const { events } = this.chosen;
    return events === 'all' || events.includes(event);
  }
}
