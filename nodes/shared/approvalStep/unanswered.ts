import { isRecord } from '../items/isRecord';
import { formLabels } from '../form/formLabels';
import { requestOf } from '../upstream/chordItems';
import { dataOf } from './stepFields';

/** What a responder does when nobody answered. */
export type WhenNoDecision = 'fail' | 'deny' | 'leave';

/** The reason that the agent gets, and the item. */
export const nobodyAnswered = 'Nobody answered in time.';

/** The texts of our own items, which no person wrote. */
const ownTexts = ['summary', 'message', 'text', 'html', 'chat'];

/**
 * Fields beside `data` that only an answer has: the form's, n8n's own time of a form page, and what its steps put into
 * `data`, which a step in between may have moved out of it.
 */
const answerFields = [
  ...Object.values(formLabels),
  'chatInput',
  'submittedAt',
  'approved',
  'responder',
  'respondedAt',
];

/**
 * Whether an item is what a responder gave for an answer that it has delivered: such an answer was for that request
 * only, and is none to a later one.
 */
const isUsed = (item: Record<string, unknown>): boolean => {
  const answered = isRecord(item.decision) ? item.decision.request_id : undefined;
  return typeof answered === 'string' && (requestOf(item)?.id ?? answered) === answered;
};

/** Whether a text comes from our own item by an expression such as `{{ $json.text }}`. */
const isOwnText = (value: unknown, incoming: unknown): boolean =>
  isRecord(incoming) &&
  requestOf(incoming) !== undefined &&
  ownTexts.some((field) => incoming[field] !== undefined && incoming[field] === value);

/**
 * Whether nothing was answered at all. When the time of n8n's send-and-wait is over, it passes its input on (measured):
 * the item that comes here then is the request's own, or any other item that holds no answer. An empty form, a word that
 * decides nothing and a field of another name are answers, though none that can be read.
 *
 * @param step the approval step's result
 * @param incoming the json of the incoming item
 */
export const isUnanswered = (step: unknown, incoming: unknown): boolean => {
  if (step === undefined || step === null || (typeof step === 'string' && step.trim() === '')) return true;
  if (!isRecord(step)) return isOwnText(step, incoming);
  if (isUsed(step)) return true;
  const hasData = Object.keys(dataOf(step)).length > 0;
  return !hasData && !answerFields.some((field) => field in step);
};
