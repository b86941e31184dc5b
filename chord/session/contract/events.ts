import type { EventCategory } from '../../protocol/catalog';
import type { ApprovalOffer, FormOption, RequestDocument } from './requests';
import type { Texts } from './texts';
import type { AgentDocument, ImageDocument, ResultDocument, SessionDocument } from './turns';

/**
 * One event as listeners get it: Chord's envelope with what a person needs to read it. Plain data, shared by all
 * listeners: copy before changing.
 */
export interface ChordEvent extends Texts, Partial<Pick<ResultDocument, 'outcome' | 'turn' | 'usage'>> {
  event: string;
  category: EventCategory;
  session: SessionDocument;
  /** With the three requests and with `request_closed`. */
  request?: RequestDocument;
  /** With the three requests: what their form offers, where it offers more than the decision. */
  offer?: ApprovalOffer;
  /** With `request_closed`: why. With `image_result`: why images are missing, although Chord calls it a success. */
  reason?: string;
  agent: AgentDocument;
  seq: number | null;
  received_at: string;
  /** Chord's own payload, untouched; for own events, their facts. */
  payload: Record<string, unknown>;
  /** With `image_result`, once the images are whole. */
  images?: ImageDocument[];
}

/** Which events a listener wants. */
export interface EventFilter {
  /** Names of the catalog, or `all` for everything, unknown names too. */
  events: string[] | 'all';
  /** Leave out what SubAgents say and do. Requests always pass. */
  mainAgentOnly: boolean;
  /** Also `idle` events that Chord marks as not worth telling. */
  includeSuppressed: boolean;
  /** Only `confirm_request`s of these tools; empty means all. */
  toolNames: string[];
}

/** How a listener takes part. */
export interface ListenOptions {
  /** Names the listener over its restarts (workflow and node): it gets each request id once, over all of them. */
  id: string;
  filter: EventFilter;
  /** Give requests that are open already, each once. */
  emitOpenRequests: boolean;
  /** A manual test does not count as "somebody takes this request" for a Send with `decisions: auto`. */
  production: boolean;
  /** What the forms of requests offer that this listener gets; left out for nothing more than the decision. */
  approvalForm?: FormOption[];
}

/** Gives one event to a listener, see `ChordSession.listen`; a promise that it returns is waited for. */
export type Deliver = (event: ChordEvent, position: number) => unknown;
