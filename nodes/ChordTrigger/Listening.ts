import { randomUUID } from 'node:crypto';
import type { ITriggerFunctions } from 'n8n-workflow';
import {
  systemClock,
  type ChordError,
  type ChordSession,
  type Clock,
  type ClockTimer,
  type ConnectionSettings,
  type OpenRequest,
} from '../../chord';
import { asChordError } from '../shared/errors/nodeError';
import { registry } from '../shared/run/registry';
import { Delivery } from './Delivery';
import { EventIntake } from './EventIntake';
import { needsUser, reportFailure, retryAfter } from './failures';
import { NeverSentWarnings } from './NeverSentWarnings';
import type { TriggerSettings } from './settings';

/** One trigger's life, from activation to deactivation: it gets its session, listens, and tries again by itself. */
export class Listening {
  private session: ChordSession | undefined;

  private isRegistered = false;

  private retry: ClockTimer | undefined;

  private readonly closing = new AbortController();

  private reported = false;

  private readonly manual: boolean;

  private readonly warnings: NeverSentWarnings;

  private readonly delivery: Delivery;

  private readonly intake: EventIntake;

  constructor(
    private readonly context: ITriggerFunctions,
    private readonly settings: TriggerSettings,
    private readonly connection: ConnectionSettings,
    private readonly clock: Clock = systemClock,
  ) {
    this.manual = context.getMode() === 'manual';
    const { signal } = this.closing;
    this.delivery = new Delivery(context, signal, () => this.warn());
    if (!this.manual) this.delivery.open();
    this.intake = new EventIntake(context, settings.filter, signal, (event) => this.delivery.add(event));
    this.warnings = new NeverSentWarnings(context.getNode().name, settings.named, context.logger, clock);
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
      this.handleFailure(failure);
    }
  }

  /** From now on items may be emitted. */
  ready(): void {
    this.delivery.open();
  }

  /** Ends the listening; the lease goes back, Chord itself runs on. Idempotent, never throws. */
  async close(): Promise<void> {
    this.closing.abort();
    this.retry?.cancel();
    const { session } = this;
    this.session = undefined;
    try {
      await session?.release();
    } catch (error) {
      this.context.logger.warn(`${this.context.getNode().name} could not be closed cleanly.`, {
        reason: asChordError(error).message,
      });
    }
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
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
    if (!this.isRegistered) await this.register(this.session);
    if (this.settings.startOnActivation) await this.startChord(attended);
    if (this.isClosed) {
      await this.close();
      return;
    }
    this.reported = false;
    await this.warn();
  }

  private async register(session: ChordSession): Promise<void> {
    await session.listen(
      {
        id: `${this.context.getWorkflow().id ?? ''}/${this.context.getNode().id}`,
        filter: this.intake.filter,
        emitOpenRequests: this.settings.emitOpenRequests,
        production: !this.manual,
        ...(this.settings.approvalForm && { approvalForm: this.settings.approvalForm }),
      },
      (event) => this.intake.receive(event),
    );
    this.isRegistered = true;
  }

  private async startChord(attended: string | undefined): Promise<void> {
    await this.intake.whileStarting(async () => {
      const started = await registry().open(this.opening('now', attended));
      await started.release();
    });
    this.intake.releaseWithheld();
  }

  private async warn(): Promise<void> {
    if (this.session) await this.warnings.warn(this.session);
  }

  /** Reports a failure, once until it is cured, and tries again later. */
  private handleFailure(error: ChordError): void {
    if (this.isClosed) return;
    if (!this.intake.releaseWithheld() && !this.reported) reportFailure(this.context, error);
    this.reported = true;
    this.retry = this.clock.after(retryAfter(error), () => void this.tryAgain());
  }

  private async tryAgain(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.connect();
    } catch (error) {
      this.handleFailure(asChordError(error));
    }
  }
}
