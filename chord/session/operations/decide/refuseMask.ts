import { ChordError } from '../../../errors';
import { mask } from '../../../process';
import { requestFacts } from './answerable';
import type { Decision } from './Decision';
import type { LedgerEntry } from '../../state/Ledger';
import type { SessionCore } from '../../core/SessionCore';

/** What of an answer would carry the mask into Chord; empty when nothing does. */
function masked({ request, protocol }: LedgerEntry, { command }: Decision): string {
  if (command.type === 'confirm' && request.kind === 'confirm') {
    // Stars of one's own, such as those of a bold word, are no mask where nothing was masked.
    const edits = command.final_args_json?.includes(mask) === true;
    if (edits && JSON.stringify(request.arguments).includes(mask)) return 'The edited arguments';
    // In a pattern it would stand for anything at all.
    if (command.rule_pattern?.includes(mask) === true) return 'The pattern of the rule';
  }
  if (command.type === 'question' && request.kind === 'question' && protocol !== 'C') {
    const chosen = request.options.filter(({ label }) => command.answers?.includes(label));
    if (chosen.some(({ label }) => label.includes(mask))) return 'The chosen option';
  }
  return '';
}

/**
 * Refuses an answer that holds the mask of a secret: Chord would take it for the text itself, and a shell would get it
 * instead of the secret.
 *
 * @throws ChordError `invalid_answer`
 */
export function refuseMask(core: SessionCore, entry: LedgerEntry, decision: Decision): void {
  if (!core.identity.secrets || core.identity.secrets.isEmpty) return;
  const what = masked(entry, decision);
  if (what === '') return;
  throw new ChordError(
    'invalid_answer',
    `${what} would contain ${mask} in place of a secret that is hidden here.`,
    {
      ...requestFacts(core, entry.request.id),
      description: `Nothing was sent. Leave it as Chord asked, or write it without the ${mask}.`,
    },
  );
}
