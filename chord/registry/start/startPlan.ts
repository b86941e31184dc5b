import { ChordError } from '../../errors';
import { checkSessionId } from '../../session';
import type { StartOptions } from '../contract';
import type { Pin, PinContent } from '../pin/PinStore';

/** How a process is to be started: in which Chord session, and what is known of that session. */
export interface StartPlan {
  /** `new` gives no argument, `resume` gives `-r`, `latest` gives `-c`. */
  kind: 'new' | 'resume' | 'latest';
  /** With `resume`. */
  sessionId: string;
  /** What the pin will say of the session that `ready` names. */
  content: PinContent;
  /**
   * A new session may be begun if this one is not found: it was pinned without knowing whether it has messages, and
   * Chord finds every session that has.
   */
  orNew: boolean;
}

const plan = (kind: StartPlan['kind'], content: PinContent, sessionId = '', orNew = false): StartPlan => ({
  kind,
  content,
  sessionId,
  orNew,
});

/** A session that has never had a message. */
export const newSession: StartPlan = plan('new', 'empty');

/**
 * From a start mode and the pin to the way Chord is started. Another session than the pinned one is never used in
 * silence: only a pin that is missing or names a session without messages leads to a new one.
 *
 * @throws ChordError `invalid_settings` for `resume` without an id
 */
export function planStart(start: StartOptions, pin: Pin | undefined): StartPlan {
  switch (start.mode) {
    case 'new':
      return newSession;
    case 'resume':
      return plan('resume', 'used', idToResume(start.sessionId));
    case 'latest':
      return plan('latest', 'unknown');
    case 'continue':
      return pin && pin.content !== 'empty'
        ? plan('resume', pin.content, pin.session_id, pin.content === 'unknown')
        : newSession;
  }
}

function idToResume(given: string): string {
  const id = given.trim();
  if (id === '') {
    throw new ChordError('invalid_settings', 'The start mode "Resume by ID" needs a session ID.', {
      description: 'Enter the ID of the session to resume, or choose another start mode.',
    });
  }
  checkSessionId(id);
  return id;
}
