import type { Logger } from 'n8n-workflow';
import type { ChordSession, Clock } from '../../chord';
import { neverSent } from './neverSent';

/** At most one look at the capabilities in this time. */
const interval = 60_000;

/** Says, once for each event, that this Chord never sends what the trigger waits for. */
export class NeverSentWarnings {
  private unknown: string[];

  private nextCheck = 0;

  constructor(
    private readonly node: string,
    events: readonly string[],
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    this.unknown = [...events];
  }

  /** Warns of what is known of the running Chord by now. Cheap when there is nothing left to find out. */
  async warn(session: ChordSession): Promise<void> {
    if (this.unknown.length === 0 || this.clock.now() < this.nextCheck) return;
    this.nextCheck = this.clock.now() + interval;
    const { capabilities } = await session.status({ diagnostics: false, includeModels: false });
    const { never, unknown } = neverSent(this.unknown, capabilities);
    this.unknown = unknown;
    for (const event of never) {
      this.logger.warn(`${this.node} is waiting for the event "${event}", but this Chord never sends it.`);
    }
  }
}
