import { readEnvelope, type Envelope, type Reading } from '../protocol/envelopes';
import { Images, type Tellable } from './Images';
import type { Listeners } from './Listeners';
import type { RequestWatch } from './RequestWatch';
import type { SessionEvents } from './SessionEvents';
import type { Change } from './SessionState';
import type { Turns } from './Turns';

/** A pushed request is told by its opening; told once more as an envelope it would come twice. */
function isOpening(reading: Reading | undefined, changes: readonly Change[]): boolean {
  switch (reading?.type) {
    case 'confirm_request':
    case 'question_request':
    case 'handoff_request':
      return true;
    case 'question_updated':
      return changes.some(
        (change) => change.kind === 'opened' && change.entry.request.id === reading.payload.request_id,
      );
    default:
      return false;
  }
}

/** Tells listeners of Chord's envelopes: results with their images, and nothing twice. */
export class EnvelopeTelling {
  private readonly images = new Images();

  constructor(
    private readonly listeners: Listeners,
    private readonly events: SessionEvents,
    private readonly requests: RequestWatch,
    private readonly turns: Turns,
  ) {}

  /** @param changes what this envelope changed */
  take(envelope: Envelope, reading: Reading | undefined, changes: readonly Change[]): void {
    if (isOpening(reading, changes)) return;
    for (const tellable of this.images.take(envelope, reading)) this.tell(tellable);
  }

  /** The process is gone: what was held back is told as it is. */
  release(): void {
    for (const tellable of this.images.release()) this.tell(tellable);
  }

  private tell({ envelope, images }: Tellable): void {
    const reading = readEnvelope(envelope);
    for (const image of images ?? []) this.turns.running?.noteImage(image);
    const repeated = this.requests.isRepeatedPrompt(reading);
    const traits = this.events.envelopeTraits(envelope, reading, repeated);
    this.listeners.tell(traits, () => this.events.envelope(envelope, images));
  }
}
