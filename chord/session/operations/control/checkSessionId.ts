import { ChordError } from '../../../errors';

/**
 * An id goes into Chord's argument list or into a slash command, where a dash in front would make it an option and a
 * blank would end it.
 *
 * @throws ChordError `invalid_settings`
 */
export function checkSessionId(id: string): void {
  if (/^[^\s/-][^\s/]*$/.test(id)) return;
  throw new ChordError('invalid_settings', `"${id.slice(0, 80)}" is not a Chord session id.`, {
    description: 'Choose the session from the list, or type its id.',
  });
}
