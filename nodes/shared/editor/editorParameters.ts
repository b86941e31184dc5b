import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { ChordError } from '../../../chord';
import { ParameterReader } from '../settings/ParameterReader';

/**
 * The parameters of a node while it is edited. Each is read by itself, since one that cannot be evaluated yet (it
 * speaks of items that are not there) makes n8n throw, or comes as `null` (measured).
 *
 * @throws ChordError for such a parameter: a list of something else would be worse than none
 */
export const editorParameters = (context: ILoadOptionsFunctions): ParameterReader =>
  new ParameterReader((name, fallback) => {
    let value: unknown;
    try {
      value = context.getNodeParameter(name, fallback as never);
    } catch (error) {
      throw unresolved(error);
    }
    if (value === null || (typeof value === 'string' && value.startsWith('='))) throw unresolved();
    return value;
  });

const unresolved = (cause?: unknown) =>
  new ChordError('invalid_settings', 'To load this list, use fixed values, or type an ID', {
    cause,
    description:
      'The list is loaded while you edit, before expressions about items have a value. Type the name or ID instead.',
  });
