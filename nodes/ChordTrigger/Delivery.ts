import type { ITriggerFunctions } from 'n8n-workflow';
import type { ChordEvent } from '../../chord';
import { asChordError } from '../shared/errors/nodeError';
import { eventItem } from '../shared/items/eventItem';
import { prepareBinaryOf } from '../shared/items/prepareBinary';

/** Emits events as items, in the order in which they came, although storing an image takes time. */
export class Delivery {
  private queue: Promise<void>;

  private openGate: () => void = () => undefined;

  /**
   * @param signal aborted when the trigger is closed: nothing is emitted from then on
   * @param afterEach what to do once an item has been emitted
   */
  constructor(
    private readonly context: ITriggerFunctions,
    private readonly signal: AbortSignal,
    private readonly afterEach: () => Promise<void>,
  ) {
    this.queue = new Promise((resolve) => {
      this.openGate = resolve;
    });
  }

  /** n8n takes items from now on: in a manual test only after `trigger()` has returned (read). */
  open(): void {
    this.openGate();
  }

  /**
   * Emits an event once all earlier ones have been emitted and n8n takes items.
   *
   * @returns settled when that is done; never when the trigger is closed before, so that the event is not acknowledged and
   *   comes again with the next activation
   */
  add(event: ChordEvent): Promise<void> {
    this.queue = this.queue
      .then(async () => {
        if (this.signal.aborted) await new Promise<never>(() => undefined);
        this.context.emit([[await eventItem(event, prepareBinaryOf(this.context))]]);
        await this.afterEach();
      })
      .catch((error: unknown) => {
        this.context.logger.error(`${this.context.getNode().name} could not pass on an event.`, {
          event: event.event,
          reason: asChordError(error).message,
        });
      });
    return this.queue;
  }
}
