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
  expired: 'its time ran out',
  superseded: 'a message to the agent replaced it',
  cancelled: 'it was cancelled',
  ended: 'the work ended',
  defaulted: 'Chord used its own default, which is nobody’s consent',
  lost: 'Chord ended while it was open',
  unknown: 'Chord ended while it was open and has not said yet what became of it',
};

/** By whom, as the end of "has been answered already"; empty where it is not known. */
const byWhom = (responder: ResponderDocument | null): string => {
  if (!responder) return '';
  const { name, id, claimed } = responder;
  return claimed ? ` by someone who gave the name "${name}"` : ` by ${name || id}`;
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
  const effect = entry.detailsDropped ? `${happened} Its details have been dropped since.` : happened;
  if (entry.action !== null && entry.closedBecause === null) {
    return new ChordError(
      'already_answered',
      `The request ${id} has already been ${pastTense[entry.action]}${byWhom(entry.attribution.responder)}${when}.`,
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
      description: `${effect} If the agent still needs a decision, it will ask again.`,
      details: { reason: state, closed_at: closedAt },
    },
  );
}

function unknownError(core: SessionCore, { requestId, fromItem }: AnswerTarget): ChordError {
  if (!fromItem) {
    const never = core.state.ledger.hasForgotten
      ? `This session knows no request ${requestId}; requests that ended long ago are forgotten.`
      : `This session never had a request ${requestId}.`;
    return new ChordError('unknown_request', never, {
      ...requestFacts(core, requestId),
      description: 'Check the id and the session.',
    });
  }
  return new ChordError(
    'no_longer_pending',
    core.state.ledger.hasForgotten
      ? `The request ${requestId} is closed: it ended so long ago that its details were dropped, or Chord has restarted since.`
      : `The request ${requestId} is closed: Chord has restarted since.`,
    {
      ...requestFacts(core, requestId),
      description: 'Nothing was sent. If the agent still needs a decision, it will ask again.',
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
      description: 'An empty id never means "the open one". Choose "The Only Open One" if you mean that.',
    });
  }
  const entry = core.state.ledger.get(requestId);
  if (!entry) throw unknownError(core, target);
  if (entry.request.kind !== kind) {
    throw new ChordError(
      'wrong_kind',
      `The request ${requestId} is a ${entry.request.kind}, not a ${kind}.`,
      { ...requestFacts(core, requestId), description: 'Use the node for that kind.' },
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
