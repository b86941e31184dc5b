import { ChordError } from '../../../errors';
import type { SessionCore } from '../../core/SessionCore';
import { carryOut } from './carryOut';
import { whenSeen } from './whenSeen';

/** How long Chord may take to announce the new session, and how often it is looked whether it still works, ms. */
const limits = { announceMs: 2000, lookMs: 1000 };

/** Which session was left, and for which one. */
export interface SessionChange {
  previous: string;
  /** The same as `previous` where Chord announces no other one. */
  now: string;
  /** What Chord said about it. */
  text: string;
}

/**
 * Has Chord begin or resume a session, and returns once it works in that one. To be called by whoever has the place in
 * the queue of messages alone: a message of somebody else would land in the wrong session.
 *
 * @param command `/new` or `/resume ID`
 */
export async function changeSession(
  core: SessionCore,
  command: string,
  carry = (line: string): Promise<string> => carryOut(core, line),
): Promise<SessionChange> {
  const previous = core.state.sessionId;
  const isChanged = (): boolean => core.state.sessionId !== previous;
  const change = { previous, text: '' };
  core.active.expectResume(/^\/resume (.*)$/.exec(command)?.[1] ?? '');
  try {
    change.text = await carry(command);
    // While Chord works, the command waits in its queue until it is idle.
    while (!isChanged() && core.state.busy) {
      core.checkRunning();
      await whenSeen(core, () => isChanged() || !core.state.busy, limits.lookMs);
    }
    await whenSeen(core, isChanged, limits.announceMs);
  } finally {
    if (!isChanged()) core.active.expectResume('');
  }
  // A turn that rested until a question is answered stays in the session that was left.
  core.turns.endIdleTurn();
  return { ...change, now: core.state.sessionId };
}

/**
 * Has Chord begin a new session.
 *
 * @throws ChordError `command_failed` when it announces none
 */
export async function newSession(
  core: SessionCore,
  carry?: (line: string) => Promise<string>,
): Promise<SessionChange> {
  const change = await changeSession(core, '/new', carry);
  if (change.now !== change.previous) return change;
  throw new ChordError(
    'command_failed',
    `Chord was asked to begin a new session but is still working in ${change.previous}.`,
    {
      sessionKey: core.identity.key,
      description: 'Nothing else was sent. Check Chord Status to see what it is doing, then try again.',
    },
  );
}
