import { ChordError } from '../../../errors';
import type { ConfirmForm, NewRule } from '../../contract';
import { withCommand } from '../../offers/editedCommand';
import type { LedgerEntry } from '../../state/Ledger';
import { narrowRule } from '../../offers/narrowRule';

const refused = (requestId: string, message: string, description: string): ChordError =>
  new ChordError('invalid_answer', message, { requestId, description: `Nothing was sent. ${description}` });

/** Line breaks as they were before a browser sent them. */
const withBreaks = (text: string): string => text.replace(/\r\n?/g, '\n');

/** A browser drops a line break at the start of a field. */
const asField = (text: string): string => withBreaks(text).replace(/^\n+/, '');

/** A field that nobody touched: it comes back as it was, but for what browsers change in any field. */
const isUntouched = (offered: string, given: string): boolean => asField(offered) === asField(given);

const notOffered = (requestId: string, what: string) =>
  refused(
    requestId,
    `The form contains ${what}, which this request did not offer.`,
    'Use the form from request.form, and switch on what it should offer under "Approval Form" in the node that outputs the request.',
  );

/** The command that the person wants to run instead; null for the one that was asked. */
function editedIn(requestId: string, offered: string | null, given: string | null): string | null {
  if (given === null || (offered === null && given.trim() === '')) return null;
  if (offered === null) throw notOffered(requestId, '"Command"');
  if (given.trim() === '') {
    throw refused(requestId, 'The command is empty.', 'Deny the request, or leave the command as it is.');
  }
  return isUntouched(offered, given) ? null : withBreaks(given);
}

/** The pattern of the rule that goes with the approval. */
function patternIn(entry: LedgerEntry, offered: string, given: string | null, edited: string | null): string {
  const requestId = entry.request.id;
  if (given !== null && !isUntouched(offered, given)) {
    if (given.trim() !== '') return withBreaks(given).trim();
    throw refused(requestId, 'The rule is empty.', 'Choose "Allow" to allow it just this once.');
  }
  const { request } = entry;
  if (edited === null || request.kind !== 'confirm' || request.tool !== 'shell') return offered;
  // Nobody means to allow what was just changed.
  const rule = narrowRule({ ...request, arguments: { command: edited }, needs_approval: [] });
  if (rule !== null) return rule;
  throw refused(requestId, 'No rule fits the changed command.', 'Write the rule, or choose "Allow".');
}

/**
 * What a person put into the form of an approval, held against what was offered.
 *
 * @throws ChordError `invalid_answer` for what was not offered, before anything is written
 */
export function readForm(
  entry: LedgerEntry,
  form: ConfirmForm,
): { editedArguments: string | null; rule: NewRule | null } {
  const { id } = entry.request;
  const { offered } = entry;
  const { remember } = form;
  if (offered.rule === null && remember !== null) throw notOffered(id, 'a decision to remember');
  if (offered.rule === null && form.rule?.trim()) throw notOffered(id, '"Rule"');
  const edited = editedIn(id, offered.command, form.command);
  return {
    editedArguments: edited === null ? null : withCommand(String(entry.payload.args_json), edited),
    rule:
      remember === null || offered.rule === null
        ? null
        : { pattern: patternIn(entry, offered.rule, form.rule, edited), scope: remember },
  };
}
