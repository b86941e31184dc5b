import { ChordError } from '../../errors';
import type { SessionIdentity } from './SessionHost';
import type { SessionState } from '../state/SessionState';

/** The session that is asked. */
interface Asked {
  readonly state: SessionState;
  readonly identity: SessionIdentity;
}

/**
 * From the first sign of a transfer on the session takes no new input.
 *
 * @throws ChordError `session_busy`
 */
export function checkTransfer(core: Asked): void {
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
export function checkInput(core: Asked, releaseHeld = false): void {
  checkTransfer(core);
  const held = core.state.heldInputs ?? 0;
  if (held === 0 || releaseHeld) return;
  const what = held === 1 ? 'a message' : `${held} messages`;
  throw new ChordError(
    'inputs_held',
    `Nothing was sent: Chord holds ${what} from before its restart and would start on ${held === 1 ? 'it' : 'them'} with the next message.`,
    {
      sessionKey: core.identity.key,
      description:
        'Check in the session whether you still want that work. If you do, switch on "Release Held Messages" in Chord Send; if not, use another session name.',
      details: { held_inputs: held },
    },
  );
}
