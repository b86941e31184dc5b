import { formLabels } from '../form/formLabels';
import { isRecord } from '../items/isRecord';
import { acceptedWords, isWord } from './acceptedWords';
import { noDecision, shown } from './noDecision';
import { chatWords, dataOf, fieldValues, isEmpty } from './stepFields';

/** An answer to a question, as a step gave it. */
export interface StepAnswer {
  declined: boolean;
  /** What was chosen in the form: option labels, numbers or ids. */
  answers: string[];
  /** What was written into "Your Own Answer". */
  text: string;
  /** A free reply, which may name an option or be own words. */
  reply: string;
}

const noAnswer = (message: string) =>
  noDecision(
    message,
    'Connect this node after a step that asks a person and waits, with the form from request.form or with a free-text reply. Approve buttons do not answer a question. Without an answer, nothing is sent.',
  );

/** One choice or several, as n8n's forms give them: text or a list of texts. */
const choicesOf = (value: unknown): string[] => {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.some((entry) => !isEmpty(entry) && typeof entry !== 'string' && typeof entry !== 'number')) {
    throw noAnswer(`The approval step answered with ${shown(value)}, which contains no plain choices.`);
  }
  return list.filter((entry) => !isEmpty(entry)).map(String);
};

const wordsOf = (value: unknown): string => {
  if (isEmpty(value)) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  throw noAnswer(`The approval step answered with ${shown(value)} where text was expected.`);
};

const chosenIn = (step: Record<string, unknown>): string[] => {
  const [answer, other] = fieldValues(step, formLabels.answer);
  if (other !== undefined) throw noAnswer('The approval step gave two different answers.');
  return choicesOf(answer);
};

const answerOf = (step: unknown): StepAnswer => {
  if (!isRecord(step)) return { declined: false, answers: [], text: '', reply: wordsOf(step) };
  const chosen = chosenIn(step);
  const data = dataOf(step);
  const own = fieldValues(step, formLabels.ownAnswer).map(wordsOf);
  if (own.length > 1) throw noAnswer('The approval step gave two different answers.');
  const isAnswered = chosen.length > 0 || own.length > 0 || !isEmpty(data.text);
  return {
    declined: chosen.some((choice) => isWord(acceptedWords.decline, choice)),
    answers: chosen.filter((choice) => !isWord(acceptedWords.decline, choice)),
    text: own[0] ?? '',
    reply: wordsOf(isAnswered ? data.text : chatWords(step)),
  };
};

/**
 * Reads what a send-and-wait step, a form or a chat gave as the answer to a question. Whether it fits the question is
 * checked later, against the question itself.
 *
 * @throws ChordError `no_decision` if there is no answer, or two that exclude each other
 */
export const readStepAnswer = (step: unknown): StepAnswer => {
  const answer = answerOf(step);
  const declinedByReply = isWord(acceptedWords.decline, answer.reply);
  const reply = declinedByReply ? '' : answer.reply;
  const declined = answer.declined || declinedByReply;
  const given = [answer.answers.length > 0, answer.text !== '', reply !== '', declined].filter(Boolean);
  if (given.length === 0) throw noAnswer('The approval step gave no answer.');
  if (given.length > 1) {
    throw noDecision(
      'The approval step gave two conflicting answers.',
      'Choose an option, write your own answer or decline, but only one of these.',
    );
  }
  return { ...answer, declined, reply };
};
