import { ChordError } from '../../../errors';
import { encodeCommand, maximumLineBytes, type Command } from '../../../protocol/commands';

/**
 * Refuses a line that Chord would throw away.
 *
 * @param what e.g. "The message"
 * @param advice what makes it shorter
 * @throws ChordError `message_too_long`
 */
export function checkSize(command: Command, what: string, advice: string): void {
  const bytes = Buffer.byteLength(encodeCommand(command));
  if (bytes <= maximumLineBytes) return;
  throw new ChordError(
    'message_too_long',
    `${what} is too long: its line has ${bytes} bytes, and Chord reads at most ${maximumLineBytes}. Nothing was sent.`,
    { description: advice },
  );
}
