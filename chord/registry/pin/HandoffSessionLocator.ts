import { readdirSync } from 'node:fs';
import { ChordError } from '../../errors';
import type { ConnectionSettings } from '../contract';
import type { KeyParts } from '../address/key';
import type { SessionsBefore } from '../../session';
import type { Pin, PinStore } from './PinStore';
import { projectSessions, resumable } from './savedSessions';
import type { SessionPin } from './SessionPin';

/**
 * Finds the session that an accepted handoff opens on a Chord that does not report it (measured): the one that was made
 * since. A guess could continue somebody else's work, so none or several are an error.
 */
export class HandoffSessionLocator {
  /** Where Chord keeps the project's sessions. */
  private folder: string | undefined;

  constructor(
    private readonly key: string,
    private readonly parts: KeyParts,
    private readonly pin: SessionPin,
    private readonly pins: PinStore,
    private readonly settings: () => ConnectionSettings,
  ) {}

  /** Looks where the sessions are: with each process, by its settings, since then Chord has certainly made the folder. */
  async locate(): Promise<void> {
    this.folder = this.settings().runsElsewhere
      ? undefined
      : await projectSessions(this.settings(), this.parts);
  }

  /**
   * What is there right before a handoff is accepted. At once, not in the background: nothing else may be written
   * between the check of the request and its answer.
   */
  before(): SessionsBefore {
    try {
      return this.folder === undefined ? null : readdirSync(this.folder);
    } catch {
      return null;
    }
  }

  /** The session that was opened, once exactly one was made since. */
  async found(): Promise<string | undefined> {
    const since = await this.since(this.pin.current);
    return since.length === 1 ? since[0] : undefined;
  }

  /**
   * The pin, once it names the session that was opened.
   *
   * @throws ChordError `pin_ambiguous` when it cannot be determined
   */
  async follow(pin: Pin | undefined): Promise<Pin | undefined> {
    if (!pin?.handed_off) return pin;
    await this.locate();
    this.pin.note(theOne(this.key, pin, await this.since(pin)), 'used');
    return this.pin.current;
  }

  private async since(pin: Pin | undefined): Promise<string[]> {
    const before = pin?.handed_off?.sessions_before;
    if (!before || this.folder === undefined) return [];
    const others = await this.pins.sessionsOfOthers(this.key);
    return (await resumable(this.folder, new Set([...before, ...others]))).map(({ id }) => id);
  }
}

function theOne(key: string, pin: Pin, since: readonly string[]): string {
  const [only] = since;
  // An approval that nothing proves, which was said, and no session that would show it: it goes on in the pinned one.
  if (pin.handed_off?.proved === false && since.length === 0) return pin.session_id;
  if (only !== undefined && since.length === 1) return only;
  const found =
    pin.handed_off?.sessions_before === null
      ? 'its sessions cannot be seen from here'
      : since.length === 0
        ? 'no session created since then was found'
        : `${since.length} sessions were created since then: ${since.join(', ')}`;
  throw new ChordError(
    'pin_ambiguous',
    `A plan was handed off in Chord session ${pin.session_id}, and this Chord does not report which session it continued in: ${found}.`,
    {
      sessionKey: key,
      description:
        'Choose the start mode "Resume by ID" and enter the ID of the session to continue, or choose "New" to begin a new one.',
      details: { handed_off_session_id: pin.session_id, sessions_since: [...since] },
    },
  );
}
