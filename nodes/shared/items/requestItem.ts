import { systemClock, type ApprovalOffer, type RequestDocument } from '../../../chord';
import { requestForm, type FormField } from '../form/requestForm';

/** A request as it stands in items: the session's document, how long it may be answered, and the ready-made form. */
export type RequestItem = RequestDocument & { minutes_left: number | null; form: FormField[] };

/** Minutes to two places, as n8n's *Limit Wait Time* takes them; rounded down, and never below nothing. */
const minutesUntil = (time: string, now: number): number =>
  Math.max(0, Math.floor((Date.parse(time) - now) / 600) / 100);

/**
 * Adds to a request what is made with the item.
 *
 * @param now ms since 1970
 * @param offer what its form offers beside the decision
 */
export const requestItem = (
  request: RequestDocument,
  now = systemClock.now(),
  offer?: ApprovalOffer,
): RequestItem => ({
  ...request,
  minutes_left: request.expires_at === null ? null : minutesUntil(request.expires_at, now),
  form: requestForm(request, offer),
});
