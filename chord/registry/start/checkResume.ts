import { ChordError } from '../../errors';
import type { StartOptions } from '../contract';
import type { LeasedSession } from '../lease/LeasedSession';

/** What a lease asks for after its first start, or by default: the pinned session. */
export const continuePinned: StartOptions = { mode: 'continue', sessionId: '' };

/**
 * A process runs already, so a start mode can no longer say how it is started. `resume` with another id is an error
 * that names both; `continue` and `latest` change nothing.
 *
 * @throws ChordError `wrong_session`
 */
export function checkResume(start: StartOptions, session: LeasedSession, key: string): void {
  const wanted = start.sessionId.trim();
  if (start.mode === 'resume' && wanted !== session.sessionId) throw wrongSession(wanted, session, key);
}

/** Chord works in another session than the one that was asked for. */
export function wrongSession(wanted: string, session: LeasedSession, key: string): ChordError {
  const { sessionId } = session;
  return new ChordError(
    'wrong_session',
    `Under this session name, Chord is working in its session ${sessionId}, not in ${wanted}.`,
    {
      sessionKey: key,
      description: `Use another session name for ${wanted}, or stop the running process first.`,
      details: { running_session_id: sessionId, wanted_session_id: wanted },
    },
  );
}
