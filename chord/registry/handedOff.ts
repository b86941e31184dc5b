import { ChordError } from '../errors';
import type { ConnectionSettings } from './contract';
import type { KeyParts } from './key';
import type { Pin } from './Pin';
import { allSessionIds, resumableIds } from './savedSessions';

/**
 * What was there before a handoff was accepted on a Chord that does not tell which session it opens then (measured):
 * the ids of the project's sessions, or `null` where they cannot be seen.
 */
export type SessionsBefore = readonly string[] | null;

/** Takes down what is there, right before a handoff is accepted. Never throws. */
export async function sessionsBefore(settings: ConnectionSettings, parts: KeyParts): Promise<SessionsBefore> {
  return settings.runsElsewhere ? null : allSessionIds(settings, parts);
}

/** The sessions of the project that were made since and can be resumed: one of them is the one that was opened. */
export async function sessionsSince(
  settings: ConnectionSettings,
  parts: KeyParts,
  before: SessionsBefore,
): Promise<string[]> {
  if (settings.runsElsewhere || before === null) return [];
  return (await resumableIds(settings, parts)).filter((id) => !before.includes(id));
}

/**
 * The one session that the plan opened.
 *
 * @throws ChordError `pin_ambiguous` when there is none or more than one: a guess could continue somebody else's work
 */
export function theOneSince(key: string, pin: Pin, since: readonly string[]): string {
  const [only] = since;
  if (only !== undefined && since.length === 1) return only;
  const found =
    pin.handed_off?.sessions_before === null
      ? 'its sessions cannot be seen from here'
      : since.length === 0
        ? 'none was found made since'
        : `${since.length} were made since: ${since.join(', ')}`;
  throw new ChordError(
    'pin_ambiguous',
    `A plan was handed off in Chord session ${pin.session_id}, and this Chord does not tell which session it went on in; ${found}.`,
    {
      sessionKey: key,
      description:
        'Choose the start mode Resume and the id of the session to continue, or the start mode New for a new one.',
      details: { handed_off_session_id: pin.session_id, sessions_since: [...since] },
    },
  );
}
