import { isRecord } from '../items/isRecord';
import { noDecision, shown } from './noDecision';

/** Whether a step gave nothing in a place. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Where n8n's send-and-wait steps put what a person gave; empty where there is no such place. */
export const dataOf = (step: unknown): Record<string, unknown> =>
  isRecord(step) && isRecord(step.data) ? step.data : {};

/**
 * What a person wrote in n8n's Chat, in either place where its versions put it (read, n8n 1.123 and 2.40). Beside words
 * that press no button it says `approved: false`.
 */
export const chatWords = (step: Record<string, unknown>): unknown => {
  const data = dataOf(step);
  return isEmpty(data.chatInput) ? step.chatInput : data.chatInput;
};

/** The values of a field in the two places where it can stand; the same value twice counts once. */
export const fieldValues = (step: Record<string, unknown>, label: string): unknown[] => {
  const data = dataOf(step);
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
      `The approval step gave two different values for "${label}".`,
      `Keep only one of the fields: data["${label}"] or "${label}".`,
    );
  }
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  throw noDecision(
    `The approval step gave ${shown(value)} for "${label}" where a single text was expected.`,
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
  const data = dataOf(step);
  return [data[label], isRecord(step) && step[label]].some((value) => typeof value === 'string') ? '' : null;
};

/** A field that decides nothing: what is no text, is left out, since the decision stands without it. */
export const stepWords = (step: unknown, label: string): string => {
  const [words] = isRecord(step) ? fieldValues(step, label) : [];
  return typeof words === 'string' ? words.trim() : '';
};
