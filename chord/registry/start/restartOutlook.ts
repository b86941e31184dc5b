import type { ChordError } from '../../errors';
import { isHeld, isPointlessToRetry } from './RestartPolicy';

/** Between two tries of our own where nothing speaks for a quick success, in milliseconds. */
const rarely = 10 * 60_000;

/** The same where another process has the session, which it may give back any time. */
const whileHeld = 60_000;

/** What is published of a process that ended or could not be started: whether it is tried again, and if not, why. */
export interface Outlook {
  /** The word for it in the event's payload. */
  restart: string;
  sentence: string;
  /** Milliseconds until our own next try; `null` where there is none. */
  delay: number | null;
}

/** What the outlook depends on. */
export interface Situation {
  /** The credential's `restartOnCrash`. */
  isSwitchedOn: boolean;
  /** What became of a message or an answer is unknown. */
  isUnknown: boolean;
  /** Somebody holds the session who may start it. */
  isWanted: boolean;
  /** Milliseconds until the next quick try, or that it is given up. */
  next: number | 'give_up';
  /** Why the start failed; nothing for a process that ended. */
  error?: ChordError;
}

/** Why nothing is tried by itself; `undefined` where it is. */
function refusal({ isSwitchedOn, isUnknown, isWanted }: Situation): Outlook | undefined {
  const never = (restart: string, sentence: string): Outlook => ({ restart, sentence, delay: null });
  if (!isSwitchedOn) return never('switched_off', 'Restarting is turned off in the credential.');
  if (isUnknown) {
    return never(
      'unknown_input',
      'It is not restarted automatically, because the outcome of a message or an answer is unknown.',
    );
  }
  if (!isWanted) return never('not_used', 'It is restarted when it is next used.');
  return undefined;
}

/** What comes after a failure. */
export function outlook(situation: Situation): Outlook {
  const { error, next } = situation;
  const refused = refusal(situation);
  if (error && isPointlessToRetry(error.code)) {
    const delay = isHeld(error.code) ? whileHeld : rarely;
    return refused
      ? { ...refused, restart: 'impossible' }
      : {
          restart: 'impossible',
          sentence: `A new start is attempted every ${delay / 60_000 === 1 ? 'minute' : `${delay / 60_000} minutes`}.`,
          delay,
        };
  }
  if (refused) return refused;
  if (next === 'give_up') {
    return {
      restart: 'given_up',
      sentence: `It failed too often in a short time. A new start is attempted every ${rarely / 60_000} minutes, or when it is next used.`,
      delay: rarely,
    };
  }
  return { restart: 'planned', sentence: `It is restarted in ${next / 1000} s.`, delay: next };
}
