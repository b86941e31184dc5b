import type { ApprovalOffer, FormOption, RequestDocument } from '../contract';
import { editableCommand } from './editedCommand';
import { narrowRule } from './narrowRule';

/** What a form offers that offers no more than the decision. */
export const nothingOffered: ApprovalOffer = { rule: null, command: null, name: false };

/** What the form of a request offers, of what was switched on; less where it does not fit the request. */
export function approvalOffer(
  { request, payload }: { request: RequestDocument; payload: Readonly<Record<string, unknown>> },
  options: readonly FormOption[],
): ApprovalOffer {
  const isConfirm = request.kind === 'confirm' && request.report === undefined;
  return {
    rule: isConfirm && options.includes('remember') ? narrowRule(request) : null,
    command: isConfirm && options.includes('edit') ? editableCommand(payload.args_json) : null,
    name: options.includes('name'),
  };
}

/** What several forms of one request offer together: nobody can tell from which one an answer comes. */
export const offeredTogether = (one: ApprovalOffer, other: ApprovalOffer): ApprovalOffer => ({
  rule: one.rule ?? other.rule,
  command: one.command ?? other.command,
  name: one.name || other.name,
});
