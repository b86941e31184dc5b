import { neutral, unattributed, type Attribution, type ResponderDocument } from '../../../chord';
import { isRecord } from '../items/isRecord';
import { formLabels } from '../form/formLabels';
import { dataOf, stepWords } from './stepFields';

/** How much of a name is kept, in characters: it stands in errors and in the audit. */
const nameLength = 200;

/** People choose their names themselves: nothing in one is read as markup where it is shown. */
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? neutral.prose(String(value).trim().slice(0, nameLength))
    : '';

/**
 * The person that n8n itself saw: its chat approvals give `data.responder {id, name, username, source}` (read, Slack with
 * *Capture Responder* and Telegram, n8n 2.40.7). A form can hold no such group of fields.
 */
const seenBy = (value: unknown): ResponderDocument | null => {
  if (!isRecord(value)) return null;
  const id = text(value.id);
  if (id === '') return null;
  return { id, name: text(value.name) || text(value.username), channel: text(value.source), claimed: false };
};

/** A name that somebody typed into the form. */
const claimedName = (step: unknown): ResponderDocument | null => {
  const name = text(stepWords(step, formLabels.name));
  return name === '' ? null : { id: '', name, channel: 'form', claimed: true };
};

/** The server's time of the answer: n8n 2.x gives it, 1.123 does not. */
const timeOf = (value: unknown): string | null => {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};

/** Who answered the approval step, and when, as far as n8n says. What n8n saw goes before what somebody typed. */
export const readAttribution = (step: unknown): Attribution => {
  if (!isRecord(step)) return unattributed;
  const data = dataOf(step);
  return {
    responder: seenBy(data.responder) ?? claimedName(step),
    responded_at: timeOf(data.respondedAt) ?? timeOf(step.submittedAt),
  };
};
