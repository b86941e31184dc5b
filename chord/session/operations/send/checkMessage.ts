import { randomUUID } from 'node:crypto';
import { ChordError } from '../../../errors';
import type { SendRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { isBlank, reachesModel, slashCommand, type Slash } from './slash';
import { checkSize } from '../call/checkSize';
import { checkJobs } from '../call/wait';

/** The text as it is written. */
export const contentOf = (request: SendRequest): string =>
  request.loop ? `/loop on ${request.message}` : request.message;

/**
 * Checks a message before a process is started for it.
 *
 * @throws ChordError `empty_message`, `command_not_allowed` or `message_too_long`
 */
export function checkMessage(request: SendRequest): void {
  if (isBlank(request.message)) {
    throw new ChordError('empty_message', 'There is no message to send.', {
      description: 'Type a message, or check the expression that provides it.',
    });
  }
  const typed = slashCommand(request.message);
  if (typed && (request.loop || !request.allowCommands)) {
    throw new ChordError(
      'command_not_allowed',
      `The message begins with a slash (${typed.name}) and was not sent.`,
      {
        description: request.loop
          ? 'A looped task cannot be a command.'
          : 'Chord would treat it as a command. Switch on "Allow Commands" if you mean that, or put a word in front.',
      },
    );
  }
  checkSize(
    { type: 'send', content: contentOf(request), request_id: randomUUID() },
    'The message',
    'Shorten it, or write the text to a file in the project and name the file.',
  );
}

/**
 * Checks what only the running Chord can tell.
 *
 * @throws ChordError `not_supported`
 */
export function checkCapabilities(core: SessionCore, request: SendRequest, slash: Slash | null): void {
  checkJobs(core, request);
  if (slash && core.state.capabilities.roles === false && reachesModel(slash)) {
    throw new ChordError(
      'not_supported',
      `This version of Chord does not know ${slash.name}; its model would receive it as text.`,
      { description: 'Remove the slash if you mean it as text, or install a newer Chord.' },
    );
  }
}
