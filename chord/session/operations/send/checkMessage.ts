import { randomUUID } from 'node:crypto';
import { ChordError } from '../../../errors';
import { encodeCommand, maximumLineBytes } from '../../../protocol/commands';
import type { SendRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { isBlank, reachesModel, slashCommand, type Slash } from './slash';
import { checkWait } from '../call/wait';

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
      description: 'Type a message, or check the expression that should give one.',
    });
  }
  const typed = slashCommand(request.message);
  if (typed && (request.loop || !request.allowCommands)) {
    throw new ChordError(
      'command_not_allowed',
      `The message begins with a slash (${typed.name}), and was not sent.`,
      {
        description: request.loop
          ? 'A task that runs in a loop cannot be a command.'
          : 'Chord would take it as a command. Switch "Allow Commands" on if that is meant, or put a word in front.',
      },
    );
  }
  const bytes = Buffer.byteLength(
    encodeCommand({ type: 'send', content: contentOf(request), request_id: randomUUID() }),
  );
  if (bytes > maximumLineBytes) {
    throw new ChordError(
      'message_too_long',
      `The message is too long: ${bytes} bytes with its line, of ${maximumLineBytes} that Chord reads. It was not sent.`,
      { description: 'Shorten it, or write the text to a file in the project and name the file.' },
    );
  }
}

/**
 * Checks what only the running Chord can tell.
 *
 * @throws ChordError `not_supported` or `invalid_settings`
 */
export function checkCapabilities(core: SessionCore, request: SendRequest, slash: Slash | null): void {
  checkWait(core, request);
  if (slash && core.state.capabilities.roles === false && reachesModel(slash)) {
    throw new ChordError(
      'not_supported',
      `This Chord does not know ${slash.name}; its model would get it as text.`,
      { description: 'Send it without the slash if it is meant as text, or install a newer Chord.' },
    );
  }
}

/**
 * From the first sign of a transfer on the session takes no new input.
 *
 * @throws ChordError `session_busy`
 */
export function checkTransfer(core: SessionCore): void {
  if (!core.state.transferring) return;
  throw new ChordError('session_busy', 'Nothing was sent: the session is being moved to another client.', {
    sessionKey: core.identity.key,
    description:
      'Wait until the transfer is over, or use another session. If it is over and Chord has not said so, "Acknowledge Unknown Input" in Chord Control lifts the block.',
  });
}

/**
 * Checks whether the session takes a message, a command that goes as one too.
 *
 * @param releaseHeld whether inputs that Chord holds may be set free by it
 * @throws ChordError `session_busy` during a transfer; `inputs_held`
 */
export function checkInput(core: SessionCore, releaseHeld = false): void {
  checkTransfer(core);
  const held = core.state.heldInputs ?? 0;
  if (held === 0 || releaseHeld) return;
  const what = held === 1 ? 'a message' : `${held} messages`;
  throw new ChordError(
    'inputs_held',
    `Nothing was sent: Chord holds ${what} from before it was started anew, and would work on ${held === 1 ? 'it' : 'them'} with the next one.`,
    {
      sessionKey: core.identity.key,
      description:
        'Look into the session whether that work is still wanted. If it is, switch on "Release Held Messages" in Chord Send; if not, use another session name.',
      details: { held_inputs: held },
    },
  );
}
