import { declineOption } from '../form/formLabels';

/** What a person decided in an approval step. */
export type StepDecision = 'grant' | 'deny' | 'cancel';

/**
 * Every word that decides something, as help and documentation show them; case and outer blanks aside. All others
 * decide nothing, and nothing is never an approval.
 */
export const acceptedWords = {
  grant: ['Allow', 'Approve', 'true'],
  deny: ['Deny', 'false'],
  cancel: ['Cancel'],
  decline: [declineOption],
} as const satisfies Record<StepDecision | 'decline', readonly string[]>;

const plain = (word: string): string => word.trim().toLowerCase();

/** Whether a word is one of these. */
export const isWord = (words: readonly string[], word: string): boolean =>
  words.some((accepted) => plain(accepted) === plain(word));
