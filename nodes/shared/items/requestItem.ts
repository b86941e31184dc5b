import type { RequestDocument } from '../../../chord';
import { requestForm, type FormField } from '../requestForm';

/** A request as it stands in items: the session's document and the ready-made form. */
export type RequestItem = RequestDocument & { form: FormField[] };

/** Adds the form to a request. */
export const requestItem = (request: RequestDocument): RequestItem => ({
  ...request,
  form: requestForm(request),
});
