import { ChordError, type FormOption } from '../../../chord';
import type { ParameterReader } from './ParameterReader';

const known = ['remember', 'edit', 'name'] as const satisfies FormOption[];

/**
 * What forms of requests shall offer beside the decision; left out for nothing.
 *
 * @param options the collection that holds it: of a trigger, of Send, or a responder's wait options
 */
export const readApprovalForm = (options: ParameterReader): { approvalForm?: FormOption[] } => {
  const words = options.list('approvalForm');
  const unknown = words.find((word) => !known.some((option) => option === word));
  if (unknown === undefined) {
    return words.length > 0 ? { approvalForm: known.filter((option) => words.includes(option)) } : {};
  }
  throw new ChordError('invalid_settings', `The form cannot offer "${unknown}".`, {
    description: `Choose from: ${known.join(', ')}.`,
  });
};
