import { ChordError } from '../../../errors';
import type { AnswerTarget, DecisionAction, RequestKind, ResponderDocument } from '../../contract';
import type { LedgerEntry } from '../../state/Ledger';
import type { SessionCore } from '../../core/SessionCore';

const pastTense: Readonly<Record<DecisionAction, string>> = {
  allow: 'allowed',
  deny: 'denied',
  answer: 'answered',
  decline: 'declined',
  approve: 'approved',
  cancel: 'cancelled',
};

const whyClosed: Readonly<Record<string, string>> = {
  expired: 'its time was over',
  superseded: 'a message to the agent took its place',
  cancelled: 'it was cancelled',
  ended: 'the work ended',
  defaulted: 'Chord took its own default, which is nobody’s consent',
  lost: 'Chord ended while it was open',
  unknown: 'Chord ended while it was open, and has not told yet what became of it',
};

/** By whom, as the end of "has been answered already"; empty where it is not known. */
const byWhom = (responder: ResponderDocument | null): string => {
  if (!responder) return '';
  const { name, id, claimed } = responder;
  return claimed ? ` by somebody who gave the name "${name}"` : ` by ${name || id}`;
};

/** Errors about one request carry the same facts. */
export const requestFacts = (core: SessionCore, requestId: string) => ({
  sessionKey: core.identity.key,
  requestId,
});

/**
 * The error that says what became of a closed request and when.
 *
 * @param sent whether the answer had been written when this came out
 */
export function closedError(core: SessionCore, entry: LedgerEntry, sent = false): ChordError {
  const { id } = entry.request;
  const closedAt = entry.closedAt === null ? null : new Date(entry.closedAt).toISOString();
  const when = closedAt === null ? '' : ` at ${closedAt}`;
  const happened = sent ? 'The answer came too late and had no effect.' : 'Nothing was sent.';
  const effect = entry.detailsDropped ? `${happened} Its details were dropped since.` : happened;
  if (entry.action !== null && entry.closedBecause === null) {
    return new ChordError(
      'already_answered',
      `The request ${id} has been ${pastTense[entry.action]} already${byWhom(entry.attribution.responder)}${when}.`,
      {
        ...requestFacts(core, id),
        description: `${effect} The first answer counts.`,
        details: { action: entry.action, closed_at: closedAt, ...entry.attribution },
      },
    );
  }
  const state = entry.closedBecause ?? entry.state;
  return new ChordError(
    'no_longer_pending',
    `The request ${id} is closed: ${whyClosed[state] ?? state}${when}.`,
    {
      ...requestFacts(core, id),
      description: `${effect} If the agent still needs a decision, it asks anew.`,
      details: { reason: state, closed_at: closedAt },
    },
  );
}

function unknownError(core: SessionCore, { requestId, fromItem }: AnswerTarget): ChordError {
  if (!fromItem) {
    const never = core.state.ledger.hasForgotten
      ? `This session knows no request ${requestId}; one that ended long ago is not remembered any more.`
      : `This session never had a request ${requestId}.`;
    return new ChordError('unknown_request', never, {
      ...requestFacts(core, requestId),
      description: 'Check the id, and whether the session is the right one.',
    });
  }
  return new ChordError(
    'no_longer_pending',
    core.state.ledger.hasForgotten
      ? `The request ${requestId} is closed: it ended so long ago that its details were dropped, or Chord was started anew since.`
      : `The request ${requestId} is closed: Chord was started anew since.`,
    {
      ...requestFacts(core, requestId),
      description: 'Nothing was sent. If the agent still needs a decision, it asks anew.',
      details: { reason: 'lost' },
    },
  );
}

/**
 * Finds the request that an answer is for.
 *
 * @throws ChordError when it cannot be answered: unknown, of another kind, answered, or closed
 */
export function answerable(core: SessionCore, target: AnswerTarget, kind: RequestKind): LedgerEntry {
  const { requestId } = target;
  if (requestId === '') {
    throw new ChordError('unknown_request', 'There is no request id to answer.', {
      sessionKey: core.identity.key,
      description: 'An empty id never means "the open one". Choose "The Only Open One" if that is meant.',
    });
  }
  const entry = core.state.ledger.get(requestId);
  if (!entry) throw unknownError(core, target);
  if (entry.request.kind !== kind) {
    throw new ChordError(
      'wrong_kind',
      `The request ${requestId} is a ${entry.request.kind}, not a ${kind}.`,
      { ...requestFacts(core, requestId), description: 'Use the node that is made for it.' },
    );
  }
  core.requests.expireIfDue(requestId);
  const now = core.state.ledger.get(requestId) ?? entry;
  if (now.state === 'open' && now.action === null) {
    if (core.isRunning()) return now;
    throw closedError(core, { ...now, closedBecause: 'lost' });
  }
  throw closedError(core, now);
}
