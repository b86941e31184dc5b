import type { Clock } from '../../clock';
import { catalogEntry } from '../../protocol/catalog';
import { isMainAgent } from '../../protocol/agents';
import type { Reading, Received } from '../../protocol/envelopes';
import type { ChordEvent, ImageDocument, ResultDocument, SessionDocument, Texts } from '../contract';
import type { LedgerEntry } from '../state/Ledger';
import type { EventTraits } from './Listeners';
import { closedTexts, envelopeTexts, textsOf, requestTexts } from './eventTexts';
import { agentDocument } from '../turns/Turn';

/** The protocol's name of the envelope that asks, by kind of request. */
const eventOf = {
  confirm: 'confirm_request',
  question: 'question_request',
  handoff: 'handoff_request',
} as const;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A message that says nothing, such as the one that comes with every pure tool call. */
function isWithoutText(reading: Reading): boolean {
  switch (reading.type) {
    case 'assistant_message':
      return reading.payload.text.trim() === '';
    case 'agent_notify':
    case 'info':
    case 'toast':
      return reading.payload.message.trim() === '';
    default:
      return false;
  }
}

const mainAgent = agentDocument({ agent_id: '' });

/** Not by spreading: the texts would all be made then, which takes longer than all else here. */
const withTexts = <Rest extends object>(texts: Texts, rest: Rest): Texts & Rest => Object.assign(texts, rest);

/** What the builder needs of the session around it. */
export interface EventBuilderDeps {
  clock: Clock;
  /** The session as it stands in events. */
  session(): SessionDocument;
}

/** Builds the events that listeners and nodes get. */
export class EventBuilder {
  private lastTime = { ms: Number.NaN, text: '' };

  constructor(private readonly deps: EventBuilderDeps) {}

  private base(seq: number | null): Pick<ChordEvent, 'session' | 'seq' | 'received_at'> {
    return { session: this.deps.session(), seq, received_at: this.time() };
  }

  /** Now, as it stands in events; made once for all that come in the same millisecond. */
  private time(): string {
    const now = this.deps.clock.now();
    if (now !== this.lastTime.ms) this.lastTime = { ms: now, text: new Date(now).toISOString() };
    return this.lastTime.text;
  }

  /** What a filter has to know of an envelope that is no opening request; `promptFor`: the request that it repeats. */
  envelopeTraits({ envelope, reading }: Received, promptFor?: string): EventTraits {
    const agentId = text(envelope.payload?.agent_id);
    return {
      event: envelope.type,
      isMain: isMainAgent(agentId),
      suppressed: reading?.type === 'idle' && reading.payload.suppress_user_notification,
      ...(reading && isWithoutText(reading) && { empty: true }),
      ...(promptFor !== undefined && { promptFor }),
    };
  }

  /** Chord's own event, its payload untouched; `problem`: why images of it are missing. */
  envelope(received: Received, images?: ImageDocument[], problem?: string): ChordEvent {
    const { envelope } = received;
    const payload = envelope.payload ?? {};
    return withTexts(problem === undefined ? envelopeTexts(received) : textsOf(problem), {
      event: envelope.type,
      // What we do not know yet changes nothing that we know of.
      category: catalogEntry(envelope.type)?.category ?? 'state',
      ...this.base(envelope.seq ?? null),
      agent: agentDocument({
        agent_id: text(payload.agent_id),
        agent_type: text(payload.agent_type),
        task_id: text(payload.task_id),
      }),
      payload,
      ...(images && { images }),
      ...(problem !== undefined && { reason: problem }),
    });
  }

  /** What a filter has to know of a request. */
  requestTraits(entry: LedgerEntry): EventTraits {
    return {
      event: eventOf[entry.request.kind],
      isMain: isMainAgent(entry.agentId),
      suppressed: false,
      requestId: entry.request.id,
      ...(entry.request.kind === 'confirm' && { tool: entry.request.tool }),
    };
  }

  /** A request that waits for a person. */
  request(entry: LedgerEntry, seq: number | null): ChordEvent {
    return withTexts(requestTexts(entry.request, entry.payload), {
      event: eventOf[entry.request.kind],
      category: 'decision',
      ...this.base(seq),
      request: structuredClone(entry.request),
      agent: agentDocument({ agent_id: entry.agentId, task_id: entry.taskId }),
      payload: entry.payload,
    });
  }

  /** A request that ended without an answer from here. */
  closed(entry: LedgerEntry): ChordEvent {
    const reason = entry.closedBecause ?? 'ended';
    return withTexts(closedTexts(entry.request, entry.payload, closings[reason] ?? 'Ended'), {
      event: 'request_closed',
      category: 'decision',
      ...this.base(null),
      request: structuredClone(entry.request),
      reason,
      agent: agentDocument({ agent_id: entry.agentId, task_id: entry.taskId }),
      payload: { request_id: entry.request.id, reason },
    });
  }

  /** A whole turn: the event for reports. */
  turnFinished(result: ResultDocument): ChordEvent {
    return {
      event: 'turn_finished',
      category: 'result',
      ...this.base(null),
      ...result,
      agent: mainAgent,
      payload: {},
    };
  }

  /** Something about the process. */
  own(event: string, facts: Record<string, unknown>, summary: string): ChordEvent {
    return {
      event,
      category: catalogEntry(event)?.category ?? 'process',
      ...textsOf(summary),
      ...this.base(null),
      agent: mainAgent,
      payload: facts,
    };
  }
}

const closings: Readonly<Record<string, string>> = {
  expired: 'Nobody answered in time',
  cancelled: 'Cancelled',
  superseded: 'Replaced by a message',
  ended: 'Ended with the work',
  defaulted: 'Nobody answered; Chord used its own default',
  lost: 'Lost, because Chord ended',
};
