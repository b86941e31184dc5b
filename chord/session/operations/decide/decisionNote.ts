import type { DecisionAction } from '../../contract';
import type { LedgerEntry } from '../../state/Ledger';

/**
 * What a person should know about a decision beside that it was taken. Under question protocol C a refused question
 * that Chord needs an answer to stays unmet: its agent rests until a message tells it how to go on.
 */
export function decisionNote(entry: LedgerEntry, action: DecisionAction): { note?: string } {
  const needed = entry.protocol === 'C' && entry.payload.response_policy === 'user_required';
  if (!needed || action !== 'decline') return {};
  return {
    note: 'Chord needs an answer to this question: the agent rests until a message tells it how to go on.',
  };
}
