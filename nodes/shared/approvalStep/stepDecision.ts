import { isRecord } from '../items/isRecord';
import { formLabels, rememberOptions } from '../form/formLabels';
import { acceptedWords, isWord, type StepDecision } from './acceptedWords';
import { noDecision, shown } from './noDecision';
import { chatWords, dataOf, isEmpty, stepWords } from './stepFields';

/** Where an approval is remembered. */
export type Remember = keyof typeof rememberOptions;

/** What a word means. */
interface Meaning {
  decision: StepDecision;
  /** Left out where an approval is for this time only. */
  remember?: Remember;
}

/** A decision, and the reason that was written beside it. */
export interface StepResult extends Meaning {
  reason: string;
}

/**
 * The places of a step's result that can hold a decision; nothing else of the item is read. Words of a chat count where
 * nothing else answers, and where they decide: `Allow` in words is no denial, although Chat says so.
 */
const candidates = (step: unknown): unknown[] => {
  if (!isRecord(step)) return [step];
  const data = dataOf(step);
  const answers = [data.approved, data[formLabels.decision], step[formLabels.decision], data.text];
  const words = chatWords(step);
  return answers.every(isEmpty) || meaningOf(words) ? [...answers, words] : answers;
};

const meaningOf = (value: unknown): Meaning | undefined => {
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined;
  const word = String(value);
  const remember = (['session', 'project'] as const).find((where) => isWord([rememberOptions[where]], word));
  if (remember) return { decision: 'grant', remember };
  const decision = (['grant', 'deny', 'cancel'] as const).find((meaning) =>
    isWord(acceptedWords[meaning], word),
  );
  return decision && { decision };
};

/** Only what a tool asks for is remembered; a plan, which can be cancelled, is approved once. */
const isAccepted = (meaning: Meaning | undefined, accepted: readonly StepDecision[]): boolean =>
  meaning !== undefined &&
  accepted.includes(meaning.decision) &&
  (meaning.remember === undefined || !accepted.includes('cancel'));

/** Only words for Chord. Words in n8n's Chat that pressed no button say why not. */
const reasonOf = (step: unknown): string => {
  const reason = stepWords(step, formLabels.reason);
  if (reason !== '' || !isRecord(step) || dataOf(step).approved !== false) return reason;
  const words = chatWords(step);
  return typeof words === 'string' && !meaningOf(words) ? words.trim() : '';
};

/**
 * Reads what a send-and-wait step or a form gave.
 *
 * @param step the step's result, usually the incoming item
 * @param accepted the decisions that this kind of request knows; another one counts as none
 * @throws ChordError `no_decision` if there is no decision, an unknown word, or two that differ
 */
export const readStepDecision = (step: unknown, accepted: readonly StepDecision[]): StepResult => {
  const given = candidates(step).filter((value) => !isEmpty(value));
  if (given.length === 0) {
    throw noDecision(
      'The approval step gave no decision.',
      'Connect this node after a step that asks a person and waits, with the form from request.form or with approve buttons. Without an answer, nothing is approved.',
    );
  }
  const meaningsGiven = given.map((value) => ({ value, meaning: meaningOf(value) }));
  const unknown = meaningsGiven.find(({ meaning }) => !isAccepted(meaning, accepted));
  if (unknown) {
    throw noDecision(
      `The approval step answered ${shown(unknown.value)}, which is not a decision here.`,
      `Accepted words: ${accepted.flatMap((meaning) => acceptedWords[meaning]).join(', ')}.`,
    );
  }
  const [first, ...others] = meaningsGiven.map(({ meaning }) => meaning);
  const differs = (other: Meaning | undefined) =>
    other?.decision !== first?.decision || other?.remember !== first?.remember;
  if (first === undefined || others.some(differs)) {
    throw noDecision(
      'The approval step gave two decisions that contradict each other.',
      'Let only one field decide: data.approved, data.Decision, Decision or data.text.',
    );
  }
  return { ...first, reason: reasonOf(step) };
};
