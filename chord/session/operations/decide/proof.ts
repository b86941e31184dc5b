import { ChordError } from '../../../errors';
import { readPayload, type PayloadOf } from '../../../protocol/envelopes';
import type { Command } from '../../../protocol/commands';
import { requestFacts, closedError } from './answerable';
import type { DecisionAction, VerifiedBy } from '../../contract';
import type { Issued } from '../../connection/Connection';
import type { LedgerEntry } from '../../state/Ledger';
import type { SessionCore } from '../../core/SessionCore';

/** How long an announced closing event may take after Chord has read the answer. */
const closingEventMs = 5000;

/** Chord's words for each answer. Any other one says that something else has closed the request. */
const goodWords: Readonly<Partial<Record<DecisionAction, string>>> = {
  allow: 'approved',
  deny: 'denied',
  answer: 'answered',
  decline: 'declined',
};

/** Resolves when Chord tells how the request was closed. */
function closingEvent(core: SessionCore, requestId: string): { word: Promise<string>; dispose: () => void } {
  let dispose: () => void = () => undefined;
  const word = new Promise<string>((resolve) => {
    dispose = core.watch((reading) => {
      if (reading.type !== 'confirm_resolved' && reading.type !== 'question_resolved') return;
      if (reading.payload.request_id === requestId) resolve(reading.payload.reason ?? '');
    });
  });
  return { word, dispose };
}

/** Whether this Chord tells how a request like this one was closed. */
const isAnnounced = (core: SessionCore, { request, protocol }: LedgerEntry): boolean =>
  request.kind === 'confirm'
    ? core.state.capabilities.confirm_resolved === true
    : request.kind === 'question' && protocol !== 'A';

const latest = (core: SessionCore, entry: LedgerEntry): LedgerEntry =>
  core.state.ledger.get(entry.request.id) ?? entry;

/** The proof of an answer without a receipt: Chord's own event, else a status that no longer shows the request. */
async function byStatus(
  core: SessionCore,
  entry: LedgerEntry,
  event: Promise<VerifiedBy>,
  issued: Issued,
): Promise<VerifiedBy> {
  const { id } = entry.request;
  const first = await Promise.race([event, issued.done.then((): 'read' => 'read')]);
  if (first !== 'read') return first;
  const now = latest(core, entry);
  if (now.closedBecause !== null) throw closedError(core, now, true);
  if (now.state === 'open') {
    throw new ChordError(
      'outcome_unknown',
      `Chord read the answer to ${id} but still shows the request as open.`,
      { ...requestFacts(core, id), description: 'Check Chord Status before you answer again.' },
    );
  }
  if (!isAnnounced(core, entry)) return 'taken';
  const late = new Promise<VerifiedBy>((resolve) => core.clock.after(closingEventMs, () => resolve('taken')));
  return await Promise.race([event, late]);
}

/**
 * A receipt that refuses. What it does not say itself, the status tells that was asked for right after the answer.
 *
 * @throws ChordError always
 */
function refused(
  core: SessionCore,
  entry: LedgerEntry,
  receipt: PayloadOf<'question_receipt'>,
  askedAtStep: number,
): never {
  const { id } = entry.request;
  const said = receipt.error || 'it gave no reason';
  core.requests.withdraw(id);
  if (receipt.status !== '') {
    core.requests.closeById(id, receipt.status);
  }
  const now = latest(core, entry);
  if (now.state !== 'open') throw closedError(core, now, true);
  if (now.toldAtStep > askedAtStep) {
    throw new ChordError('command_failed', `Chord refused the answer to ${id}: ${said}`, {
      ...requestFacts(core, id),
      description: 'The question is still open.',
    });
  }
  core.requests.markUnknown(id);
  throw new ChordError('outcome_unknown', `It is unknown what became of the answer to ${id}: ${said}`, {
    ...requestFacts(core, id),
    description: 'Chord could not say. Check Chord Status before you answer again.',
  });
}

/** The proof of an answer that has a receipt (question protocol C). */
async function byReceipt(
  core: SessionCore,
  { entry, action, askedAtStep }: { entry: LedgerEntry; action: DecisionAction; askedAtStep: number },
  event: Promise<VerifiedBy>,
  issued: Issued,
): Promise<VerifiedBy> {
  const asked = core.connection.status([entry.request.id]);
  asked.catch(() => undefined);
  const receipt = issued.done.then((envelope) =>
    readPayload('question_receipt', envelope ?? { type: 'question_receipt' }),
  );
  receipt.catch(() => undefined);
  const first = await Promise.race([event, receipt]);
  if (first === 'event') return first;
  const { accepted } = first as PayloadOf<'question_receipt'>;
  if (accepted) {
    core.requests.closeAs(entry, action);
    return 'receipt';
  }
  // A status that fails says nothing, which is dealt with.
  await asked.catch(() => undefined);
  return refused(core, entry, first as PayloadOf<'question_receipt'>, askedAtStep);
}

/**
 * Writes an answer and proves, as far as this Chord tells, that it was taken.
 *
 * @throws ChordError `not_delivered` when it could not be written, else why it did not count
 */
export async function writeAndProve(
  core: SessionCore,
  entry: LedgerEntry,
  { action, command }: { action: DecisionAction; command: Command },
): Promise<VerifiedBy> {
  const { word, dispose } = closingEvent(core, entry.request.id);
  const event = word.then((said): VerifiedBy => {
    const now = latest(core, entry);
    // A message that was written before the answer reads as a denial, too: then it has closed the request already.
    if (said === goodWords[action] && now.closedBecause === null) return 'event';
    throw closedError(core, now, true);
  });
  event.catch(() => undefined);
  const hasReceipt = command.type === 'question' && 'operation_id' in command;
  const askedAtStep = core.state.step;
  try {
    const issued = core.connection.issue(command, hasReceipt ? 'question_receipt' : null);
    const proof = hasReceipt
      ? byReceipt(core, { entry, action, askedAtStep }, event, issued)
      : byStatus(core, entry, event, issued);
    proof.catch(() => undefined);
    await issued.written.catch((cause: unknown) => {
      throw notDelivered(core, entry.request.id, cause);
    });
    return await proof;
  } finally {
    dispose();
  }
}

function notDelivered(core: SessionCore, requestId: string, cause: unknown): ChordError {
  return new ChordError(
    'not_delivered',
    core.isRunning()
      ? `The answer to ${requestId} could not be written; the request is still open.`
      : `The answer to ${requestId} could not be written: Chord has ended.`,
    {
      ...requestFacts(core, requestId),
      cause,
      description: core.isRunning()
        ? 'It can be answered again.'
        : 'If the agent goes on, it will ask again.',
    },
  );
}
