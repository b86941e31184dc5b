import { readEnvelope, type Envelope, type Reading } from '../../protocol/envelopes';
import { ImageAssembler, type Tellable } from './ImageAssembler';
import type { Listeners } from './Listeners';
import type { RequestNotifier } from './RequestNotifier';
import type { EventBuilder } from './EventBuilder';
import type { Change } from '../state/SessionState';
import type { TurnTracker } from '../turns/TurnTracker';

/** The id of a pushed request: it is told by its opening; told once more as an envelope it would come twice. */
function openedBy(reading: Reading | undefined, changes: readonly Change[]): string | undefined {
  switch (reading?.type) {
    case 'confirm_request':
    case 'question_request':
    case 'handoff_request':
      return reading.payload.request_id;
    case 'question_updated': {
      const { request_id: id } = reading.payload;
      return changes.some((change) => change.kind === 'opened' && change.entry.request.id === id)
        ? id
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Tells listeners of Chord's envelopes: results with their images, and nothing twice. */
export class EventPublisher {
  private readonly images: ImageAssembler;

  constructor(
    private readonly listeners: Listeners,
    private readonly events: EventBuilder,
    private readonly requests: RequestNotifier,
    private readonly turns: TurnTracker,
    keepImage: (bytes: Buffer) => string,
  ) {
    this.images = new ImageAssembler(keepImage);
  }

  /** @param changes what this envelope changed */
  accept(envelope: Envelope, reading: Reading | undefined, changes: readonly Change[]): void {
    const opened = openedBy(reading, changes);
    if (opened !== undefined) {
      this.requests.pushed(opened);
      return;
    }
    for (const tellable of this.images.accept(envelope, reading)) this.tell(tellable);
  }

  /** The agent rests, or the process is gone: what was held back is told as it is. */
  release(): void {
    for (const tellable of this.images.release()) this.tell(tellable);
  }

  private tell({ envelope, images, problem }: Tellable): void {
    const reading = readEnvelope(envelope);
    for (const image of images ?? []) this.turns.running?.noteImage(image);
    if (problem !== undefined) this.turns.running?.noteWarning(problem);
    const promptFor = this.requests.promptFor(reading);
    const traits = this.events.envelopeTraits(envelope, reading, promptFor);
    this.listeners.publish(traits, () => this.events.envelope(envelope, images, problem));
  }
}
