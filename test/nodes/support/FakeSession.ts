import { ChordError } from '../../../chord/errors';
import { unattributed } from '../../../chord/session/state/Ledger';
import type {
  AcknowledgeResult,
  CallResult,
  ChordEvent,
  Deliver,
  ConfirmDecision,
  ConfirmDocument,
  DecisionResult,
  LedgerEntryDocument,
  ListenOptions,
  RequestDocument,
  ResultDocument,
  SendRequest,
  SessionDocument,
  StatusDocument,
} from '../../../chord/session/contract';
import { textsOf } from '../../../chord/session/events/eventTexts';

/** A confirm request as the session layer gives it. */
export const confirmRequest = (id: string): ConfirmDocument => ({
  kind: 'confirm',
  id,
  tool: 'shell',
  subject: `echo ${id}`,
  arguments: { command: `echo ${id}` },
  input: { command: `echo ${id}` },
  asked_because: ['*'],
  needs_approval: [],
  expires_at: null,
  on_expiry: 'none',
});

/** The state of one session, as tests set it; what nodes asked of it is noted. */
export class FakeSession {
  readonly sent: SendRequest[] = [];

  readonly confirmed: ConfirmDecision[] = [];

  readonly listeners: { options: ListenOptions; deliver: Deliver }[] = [];

  readonly ledger: LedgerEntryDocument[] = [];

  /** What a message comes to; the default is a finished turn that repeats it. */
  onSend: (request: SendRequest) => CallResult | Promise<CallResult> = ({ message }) => ({
    kind: 'finished',
    result: this.finished(message),
  });

  /** What follows an answer, where the node waits. */
  onConfirmed: (decision: ConfirmDecision) => CallResult | Promise<CallResult> = () => ({
    kind: 'finished',
    result: this.finished('done'),
  });

  status: Partial<StatusDocument> = {};

  /** What acknowledging ends. */
  acknowledged: AcknowledgeResult = { unknown_inputs: [], transfer_lifted: false };

  constructor(readonly key: string) {}

  /** The decisions that reached it, as `id:action`. */
  get decided(): string[] {
    return this.confirmed.map(({ requestId, action }) => `${requestId}:${action}`);
  }

  document(): SessionDocument {
    return { key: this.key, id: 'S1', name: 'default', project_directory: '/project', role: 'builder' };
  }

  finished(text: string): ResultDocument {
    const session = this.document();
    return { outcome: 'completed', ...textsOf(text), session, turn: null, usage: null };
  }

  /** Opens a request, as Chord does, and gives its event. */
  ask(request: RequestDocument): ChordEvent {
    const entry = { request, state: 'open', action: null, opened_at: '', closed_at: null };
    this.ledger.push(entry);
    return this.event(`${request.kind}_request`, { category: 'decision', request });
  }

  event(event: string, more: Partial<ChordEvent> = {}): ChordEvent {
    return {
      event,
      category: 'state',
      ...textsOf(event),
      session: this.document(),
      agent: { id: '', type: '', task_id: '', is_main: true },
      seq: 1,
      received_at: '2030-01-01T00:00:00.000Z',
      payload: {},
      ...more,
    };
  }

  /** Publishes an event to everyone who listens. */
  publish(event: ChordEvent): void {
    for (const { deliver } of this.listeners) deliver(event, 1);
  }

  close(id: string, state: string, action: string | null = null): void {
    const entry = this.ledger.find(({ request }) => request.id === id);
    if (entry) Object.assign(entry, { state, action });
  }

  async confirm(decision: ConfirmDecision): Promise<DecisionResult> {
    const { requestId, action, waitFor, fromItem } = decision;
    const entry = this.ledger.find(({ request }) => request.id === requestId);
    if (!entry)
      throw new ChordError(fromItem ? 'no_longer_pending' : 'unknown_request', `Unknown ${requestId}`);
    if (entry.state !== 'open') {
      throw new ChordError('already_answered', `Request ${requestId} was answered: ${String(entry.action)}`, {
        requestId,
        sessionKey: this.key,
        description: 'Nothing was written.',
      });
    }
    this.confirmed.push(decision);
    this.close(requestId, 'answered', action);
    return {
      decision: {
        request_id: requestId,
        kind: 'confirm',
        action,
        verified_by: 'event',
        at: '',
        ...unattributed,
        ...decision.attribution,
      },
      session: this.document(),
      after: waitFor === 'nothing' ? null : await this.onConfirmed(decision),
    };
  }
}
