import { ChordError } from '../../../chord';
import { isRecord } from '../isRecord';
import { declineOption, formLabels, rememberOptions } from '../form/requestForm';

/** What a person decided in an approval step. */
export type StepDecision = 'grant' | 'deny' | 'cancel';

/** Where an approval is remembered. */
export type Remember = keyof typeof rememberOptions;

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

const isWord = (words: readonly string[], word: string): boolean =>
  words.some((accepted) => plain(accepted) === plain(word));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * What a person wrote in n8n's Chat, in either place where its versions put it (read, n8n 1.123 and 2.40). Beside words
 * that press no button it says `approved: false`.
 */
const chatWords = (step: Record<string, unknown>): unknown => {
  const data = isRecord(step.data) ? step.data : {};
  return isEmpty(data.chatInput) ? step.chatInput : data.chatInput;
};

/**
 * The places of a step's result that can hold a decision; nothing else of the item is read. Words of a chat count where
 * nothing else answers, and where they decide: `Allow` in words is no denial, although Chat says so.
 */
const candidates = (step: unknown): unknown[] => {
  if (!isRecord(step)) return [step];
  const data = isRecord(step.data) ? step.data : {};
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

const noDecision = (message: string, description: string) =>
  new ChordError('no_decision', message, { description });

/** How a value is named in an error: short, and never a whole document. */
const shown = (value: unknown): string =>
  typeof value === 'object' ? 'a list or object' : `"${String(value).slice(0, 60)}"`;

/** The values of a field in the two places where it can stand; the same value twice counts once. */
const fieldValues = (step: Record<string, unknown>, label: string): unknown[] => {
  const data = isRecord(step.data) ? step.data : {};
  const given = [data[label], step[label]].filter((value) => !isEmpty(value));
  return [...new Map(given.map((value) => [JSON.stringify(value), value])).values()];
};

/**
 * A field that a form puts beside the decision: `data.<label>`, or `<label>` itself. Empty where it is missing.
 *
 * @throws ChordError `no_decision` where it is given in a way that cannot be meant, rather than to go on without it
 */
export const stepField = (step: unknown, label: string): string => {
  if (!isRecord(step)) return '';
  const [value, other] = fieldValues(step, label);
  if (value === undefined) return '';
  if (other !== undefined) {
    throw noDecision(
      `The approval step gave two values for "${label}" that differ.`,
      `Let only one field give it: data["${label}"] or "${label}".`,
    );
  }
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  throw noDecision(
    `The approval step gave ${shown(value)} for "${label}" where one text was expected.`,
    'Use the form from request.form, which asks for one.',
  );
};

/**
 * A text field as it came, with its blanks; `null` where there is none.
 *
 * @throws ChordError `no_decision` where it is given in a way that cannot be meant, as in {@link stepField}
 */
export const stepText = (step: unknown, label: string): string | null => {
  if (stepField(step, label) !== '') return String(fieldValues(step as Record<string, unknown>, label)[0]);
  const data = isRecord(step) && isRecord(step.data) ? step.data : {};
  return [data[label], isRecord(step) && step[label]].some((value) => typeof value === 'string') ? '' : null;
};

/** A field that decides nothing: what is no text, is left out, since the decision stands without it. */
export const stepWords = (step: unknown, label: string): string => {
  const [words] = isRecord(step) ? fieldValues(step, label) : [];
  return typeof words === 'string' ? words.trim() : '';
};

/** Only words for Chord. Words in n8n's Chat that pressed no button say why not. */
const reasonOf = (step: unknown): string => {
  const reason = stepWords(step, formLabels.reason);
  if (reason !== '' || !isRecord(step) || !isRecord(step.data) || step.data.approved !== false) return reason;
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
      'Connect this node behind a step that asks a person and waits, with the form from request.form or with approve buttons. Without an answer nothing is approved.',
    );
  }
  const meaningsGiven = given.map((value) => ({ value, meaning: meaningOf(value) }));
  const unknown = meaningsGiven.find(({ meaning }) => !isAccepted(meaning, accepted));
  if (unknown) {
    throw noDecision(
      `The approval step answered ${shown(unknown.value)}, which is no decision here.`,
      `Understood are: ${accepted.flatMap((meaning) => acceptedWords[meaning]).join(', ')}.`,
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

const noAnswer = (message: string) =>
  noDecision(
    message,
    'Connect this node behind a step that asks a person and waits, with the form from request.form or with a free text reply. Approve buttons do not answer a question. Without an answer nothing is sent.',
  );

/** One choice or several, as n8n's forms give them: text or a list of texts. */
const choicesOf = (value: unknown): string[] => {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.some((entry) => !isEmpty(entry) && typeof entry !== 'string' && typeof entry !== 'number')) {
    throw noAnswer(`The approval step answered with ${shown(value)} that holds no plain choices.`);
  }
  return list.filter((entry) => !isEmpty(entry)).map(String);
};

const wordsOf = (value: unknown): string => {
  if (isEmpty(value)) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  throw noAnswer(`The approval step answered with ${shown(value)} where words were expected.`);
};

const chosenIn = (step: Record<string, unknown>): string[] => {
  const [answer, other] = fieldValues(step, formLabels.answer);
  if (other !== undefined) throw noAnswer('The approval step gave two answers that differ.');
  return choicesOf(answer);
};

const answerOf = (step: unknown): StepAnswer => {
  if (!isRecord(step)) return { declined: false, answers: [], text: '', reply: wordsOf(step) };
  const chosen = chosenIn(step);
  const data = isRecord(step.data) ? step.data : {};
  const own = fieldValues(step, formLabels.ownAnswer).map(wordsOf);
  if (own.length > 1) throw noAnswer('The approval step gave two answers that differ.');
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
      'The approval step gave two answers that exclude each other.',
      'Choose an option, write your own answer, or decline: only one of them.',
    );
  }
  return { ...answer, declined, reply };
};
