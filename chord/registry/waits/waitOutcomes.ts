import { ChordError } from '../../errors';
import type { Call } from '../calls/callFile';
import type { CallOutcome } from '../calls/outcome';
import type { Wait } from './waitFile';

/** The outcome for an execution whose n8n was restarted during its call. */
export function afterRestart(wait: Wait, call: Call | undefined): CallOutcome {
  const written = call?.written ?? true;
  return {
    kind: 'error',
    code: 'interrupted',
    message: `n8n was restarted while ${wait.waiter} was waiting. ${
      written ? 'The message or answer had already been sent.' : 'Nothing was sent; send it again.'
    }`,
    description: written
      ? 'Check Chord Status to see the outcome. Nothing was sent again.'
      : 'Nothing reached Chord.',
    sessionKey: wait.sessionKey,
    details: { written, waiting_since: wait.createdAt },
  };
}

/** The error of a call of which nothing is known any more. */
export const endedOutside = (call: Call | undefined): ChordError => {
  const written = call?.written ?? true;
  return new ChordError('interrupted', 'The wait was ended from outside; its outcome is unknown.', {
    description: written
      ? 'The message or answer had already been sent, and is not sent again. Check Chord Status to see the outcome.'
      : 'Nothing was sent, and nothing will be.',
    details: { written },
  });
};

/** Names who ended a call, where somebody did. */
export const endedBy = ({ aborted, reason }: AbortSignal, outcome: CallOutcome): CallOutcome =>
  aborted && outcome.kind === 'error' && outcome.code === 'interrupted'
    ? { ...outcome, message: `${(reason as Error).message} ${outcome.message}` }
    : outcome;
