import { randomUUID } from 'node:crypto';
import type { ITriggerFunctions } from 'n8n-workflow';
import {
  ChordError,
  systemClock,
  type ChordEvent,
  type ChordSession,
  type Clock,
  type ClockTimer,
  type ConnectionSettings,
  type OpenRequest,
} from '../../chord';
import { eventItem } from '../shared/items/eventItem';
import { prepareBinaryOf } from '../shared/items/prepareBinary';
import { asChordError } from '../shared/errors/nodeError';
import { needsUser, reportFailure, retryAfter } from './failures';
import type { TriggerSettings } from './settings';
import { Warnings } from './Warnings';
import { registry } from '../shared/run/registry';

/** One trigger's life, from activation to deactivation: it gets its session, listens, and tries again by itself. */
export class Listening {
  private session: ChordSession | undefined;

  private stopListening: (() => Promise<void>) | undefined;

  private retry: ClockTimer | undefined;

  private closed = false;

  private reported = false;

  /** What was heard of a start that is under way: told with its outcome, not beside it. */
  private heard: ChordEvent | undefined;

  private isStarting = false;

  private readonly manual: boolean;

  private readonly warnings: Warnings;

  /** Opens when n8n takes items: in a manual test only after `trigger()` has returned (read). */
  private readonly gate: Promise<void>;

  private openGate: () => void = () => undefined;

  /** Items leave in the order of their events, although storing an image takes time. */
  private deliveries: Promise<void>;

  constructor(
    private readonly context: ITriggerFunctions,
    private readonly settings: TriggerSettings,
    private readonly connection: ConnectionSettings,
    private readonly clock: Clock = systemClock,
  ) {
    this.manual = context.getMode() === 'manual';
    this.gate = new Promise((resolve) => {
      this.openGate = resolve;
    });
    if (!this.manual) this.openGate();
    this.deliveries = this.gate;
    this.warnings = new Warnings(context.getNode().name, settings.named, context.logger, clock);
  }

  /**
   * Begins to listen.
   *
   * @throws ChordError for what the user must change; in a manual test, where somebody looks on, for everything
   */
  async start(): Promise<void> {
    try {
      // Whoever activates a workflow looks on; n8n itself does it when it starts, where nothing has failed yet.
      await this.connect(randomUUID());
    } catch (error) {
      const failure = asChordError(error);
      if (this.manual || needsUser(failure)) {
        await this.close();
        throw failure;
      }
      this.failed(failure);
    }
  }

  /** From now on items may be emitted. */
  ready(): void {
    this.openGate();
  }

  /** Ends the listening; the lease goes back, Chord itself runs on. Idempotent, never throws. */
  async close(): Promise<void> {
    this.closed = true;
    this.retry?.cancel();
    const { session, stopListening } = this;
    this.session = undefined;
    this.stopListening = undefined;
    try {
      await stopListening?.();
      await session?.release();
    } catch (error) {
      this.context.logger.warn(`${this.context.getNode().name} could not be closed cleanly.`, {
        reason: asChordError(error).message,
      });
    }
  }

  private opening(process: OpenRequest['process'], attended?: string): OpenRequest {
    const { name, id } = this.context.getWorkflow();
    return {
      settings: this.connection,
      ...this.settings.session,
      process,
      waitsForOwner: false,
      ...(attended !== undefined && { attended }),
      holder: `${this.context.getNode().name} in workflow ${name ?? id ?? ''}`,
    };
  }

  /** Listens first and starts Chord afterwards, so that nothing is missed when the start fails and somebody else's works. */
  private async connect(attended?: string): Promise<void> {
    this.session ??= await registry().open(this.opening('on_demand'));
    this.stopListening ??= await this.session.listen(
      {
        id: `${this.context.getWorkflow().id ?? ''}/${this.context.getNode().id}`,
        filter: this.filter(),
        emitOpenRequests: this.settings.emitOpenRequests,
        production: !this.manual,
        ...(this.settings.approvalForm && { approvalForm: this.settings.approvalForm }),
      },
      (event) => this.receive(event),
    );
    if (this.settings.startOnActivation) await this.startChord(attended);
    if (this.closed) {
      await this.close();
      return;
    }
    this.reported = false;
    await this.warnings.check(this.session);
  }

  private async startChord(attended: string | undefined): Promise<void> {
    this.isStarting = true;
    try {
      const started = await registry().open(this.opening('now', attended));
      await started.release();
    } finally {
      this.isStarting = false;
    }
    this.tellHeard();
  }

  /** Passes on what was held back; false if there was nothing. */
  private tellHeard(): boolean {
    const { heard } = this;
    this.heard = undefined;
    if (heard) this.receive(heard);
    return heard !== undefined;
  }

  /** An unexpected end is always heard, since it has to be reported even where it makes no item. */
  private filter(): TriggerSettings['filter'] {
    const { filter } = this.settings;
    return filter.events === 'all' || this.chosen('process_exited')
      ? filter
      : { ...filter, events: [...filter.events, 'process_exited'] };
  }

  private chosen(event: string): boolean {
    const { events } = this.settings.filter;
    return events === 'all' || events.includes(event);
  }

  private failed(error: ChordError): void {
    if (this.closed) return;
    if (!this.tellHeard() && !this.reported) reportFailure(this.context, error);
    this.reported = true;
    this.retry = this.clock.after(retryAfter(error), () => void this.tryAgain());
  }

  private async tryAgain(): Promise<void> {
    if (this.closed) return;
    try {
      await this.connect();
    } catch (error) {
      this.failed(asChordError(error));
    }
  }

  private receive(event: ChordEvent): void {
    if (this.closed) return;
    if (event.event === 'process_exited' && this.isStarting) {
      this.heard = event;
      return;
    }
    if (event.event === 'process_exited' && !this.chosen('process_exited')) {
      reportFailure(
        this.context,
        new ChordError('process_exited', event.summary, { description: event.text }),
      );
      return;
    }
    this.deliveries = this.deliveries
      .then(async () => {
        if (this.closed) return;
        this.context.emit([[await eventItem(event, prepareBinaryOf(this.context))]]);
        if (this.session) await this.warnings.check(this.session);
      })
      .catch((error: unknown) => {
        this.context.logger.error(`${this.context.getNode().name} could not pass on an event.`, {
          event: event.event,
          reason: asChordError(error).message,
        });
      });
  }
}
