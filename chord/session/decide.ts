import { ChordError } from '../errors';
import type { Command } from '../protocol/commands';
import type {
  AnswerTarget,
  CallControl,
  DecisionAction,
  DecisionResult,
  RequestKind,
  VerifiedBy,
} from './contract';
import { timestamp } from '../clock';
import type { LedgerEntry } from './Ledger';
import { close } from './requestChanges';
import type { SessionCore } from './SessionCore';
import type { TurnWait } from './Turns';
import { callResult, checkWait, waitOverError } from './wait';
import { WaitLimit } from './WaitLimit';

/** How long an announced closing event may take after Chord has read the answer. */
export const closingEventMs = 5000;

/** An answer that is ready to be written. */
export interface Decision {
  action: DecisionAction;
  /** The line; made from the request, so that bad input is found before anything is claimed. */
  command: Command;
  /** Said with a denied `done`. */
  reason: string;
}

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

/** Errors about one request carry the same facts. */
const about = (core: SessionCore, requestId: string) => ({ sessionKey: core.identity.key, requestId });

function closedError(core: SessionCore, entry: LedgerEntry): ChordError {
  const { id } = entry.request;
  const when = entry.closedAt === null ? '' : ` at ${new Date(entry.closedAt).toISOString()}`;
  if (entry.action !== null && entry.closedBecause === null) {
    return new ChordError(
      'already_answered',
      `The request ${id} has been ${pastTense[entry.action]} already${when}.`,
      {
        ...about(core, id),
        description: 'Nothing was sent. The first answer counts.',
        details: {
          action: entry.action,
          closed_at: entry.closedAt && new Date(entry.closedAt).toISOString(),
        },
      },
    );
  }
  const state = entry.closedBecause ?? entry.state;
  return new ChordError(
    'no_longer_pending',
    `The request ${id} is closed: ${whyClosed[state] ?? state}${when}.`,
    {
      ...about(core, id),
      description: 'Nothing was sent. If the agent still needs a decision, it asks anew.',
      details: { reason: state },
    },
  );
}

/**
 * Finds the request that an answer is for.
 *
 * @throws ChordError when it cannot be answered: unknown, of another kind, answered, or closed
 */
export function answerable(core: SessionCore, target: AnswerTarget, kind: RequestKind): LedgerEntry {
  const { requestId, fromItem } = target;
  if (requestId === '') {
    throw new ChordError('unknown_request', 'There is no request id to answer.', {
      sessionKey: core.identity.key,
      description: 'An empty id never means "the open one". Choose "The Only Open Request" if that is meant.',
    });
  }
  const entry = core.state.ledger.get(requestId);
  if (!entry) {
    if (!fromItem) {
      throw new ChordError('unknown_request', `This session never had a request ${requestId}.`, {
        ...about(core, requestId),
        description: 'Check the id, and whether the session is the right one.',
      });
    }
    throw new ChordError(
      'no_longer_pending',
      `The request ${requestId} is closed: Chord was started anew since.`,
      {
        ...about(core, requestId),
        description: 'Nothing was sent. If the agent still needs a decision, it asks anew.',
        details: { reason: 'lost' },
      },
    );
  }
  if (entry.request.kind !== kind) {
    throw new ChordError(
      'wrong_kind',
      `The request ${requestId} is a ${entry.request.kind}, not a ${kind}.`,
      {
        ...about(core, requestId),
        description: 'Use the node that is made for it.',
      },
    );
  }
  const expired =
    entry.request.expires_at !== null && Date.parse(entry.request.expires_at) <= core.clock.now();
  if (entry.state === 'open' && entry.action === null && expired) {
    core.apply(close(core.state, entry, 'expired', 'event', core.clock.now()));
  }
  const now = core.state.ledger.get(requestId) ?? entry;
  if (now.state !== 'open' || now.action !== null || !core.attached) {
    throw closedError(
      core,
      now.state === 'open' && now.action === null ? { ...now, closedBecause: 'lost' } : now,
    );
  }
  return now;
}

/** Resolves when Chord tells how the request was closed. */
function closingEvent(
  core: SessionCore,
  requestId: string,
): { closed: Promise<string>; dispose: () => void } {
  let dispose: () => void = () => undefined;
  const closed = new Promise<string>((resolve) => {
    const watcher = (reading: { type: string; payload: object }): void => {
      if (reading.type !== 'confirm_resolved' && reading.type !== 'question_resolved') return;
      const payload = reading.payload as { request_id: string; reason?: string };
      if (payload.request_id === requestId) resolve(payload.reason ?? '');
    };
    core.watchers.add(watcher);
    dispose = () => core.watchers.delete(watcher);
  });
  return { closed, dispose };
}

/** Chord's words for an answer that counted. */
const goodWords = new Set(['approved', 'denied', 'answered', 'declined']);

/** Proves, as far as this Chord tells, that the answer was taken. */
async function verify(core: SessionCore, entry: LedgerEntry, done: Promise<unknown>): Promise<VerifiedBy> {
  const { id, kind } = entry.request;
  const { closed, dispose } = closingEvent(core, id);
  try {
    const announced =
      kind === 'confirm'
        ? core.state.capabilities.confirm_resolved === true
        : kind === 'question' && entry.protocol !== 'A';
    const event = closed.then((word): VerifiedBy => {
      if (goodWords.has(word)) return 'event';
      throw closedError(core, core.state.ledger.get(id) ?? entry);
    });
    event.catch(() => undefined);
    // An error that Chord gives to the answer comes before the reply to the status.
    const read = Promise.all([done, core.process.status()]).then((): 'read' => 'read');
    const first = await Promise.race([event, read]);
    if (first !== 'read') return first;
    const now = core.state.ledger.get(id);
    if (now?.state === 'open') {
      throw new ChordError(
        'outcome_unknown',
        `Chord read the answer to ${id}, but still shows the request as open.`,
        {
          ...about(core, id),
          description: 'Look into Chord Status before answering again.',
        },
      );
    }
    if (!announced) return 'taken';
    const late = new Promise<VerifiedBy>((resolve) =>
      core.clock.after(closingEventMs, () => resolve('taken')),
    );
    return await Promise.race([event, late]);
  } finally {
    dispose();
  }
}

/** Writes an answer that was claimed, and proves it. */
async function deliver(
  core: SessionCore,
  entry: LedgerEntry,
  decision: Decision,
  written: () => void,
): Promise<VerifiedBy> {
  const { id } = entry.request;
  written();
  const issued = core.process.issue(decision.command, null);
  try {
    await issued.written;
  } catch (error) {
    throw new ChordError(
      'not_delivered',
      `The answer to ${id} could not be written; the request is still open.`,
      {
        ...about(core, id),
        cause: error,
        description: 'It can be answered again.',
      },
    );
  }
  try {
    return await verify(core, entry, issued.done);
  } catch (error) {
    if (ChordError.is(error) && (error.code === 'process_exited' || error.code === 'reply_timeout')) {
      throw new ChordError(
        'outcome_unknown',
        `The answer to ${id} was written, but nothing tells what became of it.`,
        {
          ...about(core, id),
          cause: error,
          description:
            'Chord ended or fell silent right then. Look into the project before answering anything again.',
        },
      );
    }
    throw error;
  }
}

/** What of a decision is to be waited for, and how. */
function follow(core: SessionCore, target: AnswerTarget): TurnWait | undefined {
  if (target.waitFor === 'nothing') return undefined;
  return core.turns.wait({ decisions: target.decisions, jobs: target.waitFor === 'jobs', joins: true });
}

/**
 * Decides a request: checks it, claims it, writes the answer once, proves it, and waits as asked. Two answers at once:
 * the claim is taken without a pause in between, so exactly one is written.
 */
export async function decide(
  core: SessionCore,
  target: AnswerTarget,
  kind: RequestKind,
  build: (entry: LedgerEntry) => Decision,
  control: CallControl,
  note: { written(): void; withdrawn(): void },
): Promise<DecisionResult> {
  checkWait(core, target);
  const entry = answerable(core, target, kind);
  const decision = build(entry);
  core.claim(target.requestId, decision.action);
  if (kind === 'confirm' && decision.action === 'deny' && 'report' in entry.request) {
    core.turns.running?.noteDeniedReport(decision.reason);
  }
  const wait = follow(core, target);
  let decided: DecisionResult['decision'] | undefined;
  const limit = new WaitLimit(core.clock, target.timeoutMs, control.signal, (reason) =>
    waitOverError(reason, {
      what: 'The decision',
      written: true,
      sessionKey: core.identity.key,
      details: {
        session: core.describe(),
        ...(decided && { decision: decided }),
        ...(wait?.finished && { turn: wait.finished }),
      },
    }),
  );
  core.limits.add(limit);
  try {
    const verified_by = await deliver(core, entry, decision, () => note.written());
    decided = {
      request_id: target.requestId,
      kind,
      action: decision.action,
      verified_by,
      at: timestamp(core.clock),
    };
    if (kind === 'handoff' && decision.action === 'cancel') core.turns.endQuietTurn();
    core.turns.routeOpen();
    const after = wait ? await limit.race(wait.done.then((outcome) => callResult(core, outcome))) : null;
    return { decision: decided, session: core.describe(), after };
  } catch (error) {
    if (ChordError.is(error)) {
      const refused = error.code === 'not_delivered' || error.code === 'command_failed';
      if (refused) {
        core.unclaim(target.requestId);
        note.withdrawn();
      }
      const { running } = core.turns;
      const asked =
        (error.code === 'timeout' && target.cancelOnTimeout) ||
        (error.code === 'interrupted' && target.cancelOnStop);
      if (asked && running && wait?.turn === running) await core.cancel().catch(() => undefined);
    }
    throw error;
  } finally {
    wait?.leave();
    limit.dispose();
    core.limits.delete(limit);
  }
}
