import { ChordError } from '../../../errors';
import type { CallResult, ResultDocument } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import type { Receipt } from '../../input/UnconfirmedInputs';

/** A call that needs no decision. */
export const finished = (result: ResultDocument): CallResult => ({ kind: 'finished', result });

/** Adds what a message has to say of its result: a turn that it shares, requests that it dismissed, earlier warnings. */
export function withFacts(
  call: CallResult,
  { dismissed, shared, warnings }: { dismissed: readonly string[]; shared: boolean; warnings: string[] },
): CallResult {
  if (call.kind !== 'finished') return call;
  const { result } = call;
  return finished({
    ...result,
    ...(dismissed.length > 0 && { dismissed: [...dismissed] }),
    ...(shared && result.turn && { shared: true }),
    ...(!result.turn && warnings.length > 0 && { warnings }),
    turn: result.turn && { ...result.turn, warnings: [...warnings, ...result.turn.warnings] },
  });
}

/** Chord's receipt refused the message. */
export const rejectedError = ({ identity }: SessionCore, { message, turn_id }: Receipt): ChordError =>
  new ChordError('rejected', `Chord refused the message: ${message || 'it gave no reason'}`, {
    sessionKey: identity.key,
    description:
      turn_id === null
        ? 'Nothing of it was worked on.'
        : 'Its turn was cancelled before it began; its text stands in the conversation.',
  });

/** Whoever waited for a process that ended learns what that means for the message that was written. */
export function explainExit(core: SessionCore, error: unknown): unknown {
  if (!ChordError.is(error) || error.code !== 'process_exited') return error;
  return new ChordError(
    'process_exited',
    `${error.message} The message had been written; what became of it is unknown. It will not be resent automatically.`,
    {
      ...error.facts,
      cause: error,
      sessionKey: core.identity.key,
      details: { ...error.facts.details, written: true, session: core.describe() },
    },
  );
}
