import { timestamp, type Clock } from '../../clock';
import type { SessionsBefore } from '../../session';
import type { Pin, PinContent, PinStore } from './PinStore';

/** How sure it is that a session can be resumed: what is known is never forgotten for less. */
const certainty: Record<PinContent, number> = { empty: 0, unknown: 1, used: 2 };

/** The pin of one key, while this process owns the key: in memory as it is now, on the disk a moment later. */
export class SessionPin {
  private pin: Pin | undefined;

  private writing: Promise<void> = Promise.resolve();

  /** Why the file does not say what is known here; `undefined` when it does. For diagnostics. */
  problem: string | undefined;

  constructor(
    private readonly store: PinStore,
    private readonly key: string,
    private readonly projectDirectory: string,
    private readonly clock: Clock,
  ) {}

  get current(): Pin | undefined {
    return this.pin;
  }

  /**
   * Reads the file before a start: another process may have owned the key meanwhile.
   *
   * @throws ChordError `pin_ambiguous` for a damaged file
   */
  async load(): Promise<Pin | undefined> {
    await this.writing;
    if (this.problem === undefined) this.pin = await this.store.read(this.key);
    return this.pin;
  }

  /** Chord works in this session now. Writes in the background, one after the other. */
  note(sessionId: string, content: PinContent): void {
    const { pin } = this;
    const same = pin?.session_id === sessionId;
    if (same && !pin.handed_off && certainty[content] <= certainty[pin.content]) return;
    this.put({
      version: 1,
      key: this.key,
      session_id: sessionId,
      content: same && certainty[content] < certainty[pin.content] ? pin.content : content,
      project_directory: this.projectDirectory,
      previous_session_id: (same ? pin.previous_session_id : pin?.session_id) ?? '',
      updated_at: timestamp(this.clock),
    });
  }

  /** Chord went on in another session, and all that is known of it is which ones were there before. */
  noteHandoff(before: SessionsBefore, proved: boolean): void {
    if (!this.pin) return;
    const sessions_before = before && [...before];
    this.put({ ...this.pin, handed_off: { sessions_before, proved }, updated_at: timestamp(this.clock) });
  }

  /** Resolves when everything is on the disk, or cannot be put there. */
  saved(): Promise<void> {
    return this.writing;
  }

  private put(pin: Pin): void {
    this.pin = pin;
    this.writing = this.writing.then(() => this.save(pin));
  }

  private async save(pin: Pin): Promise<void> {
    try {
      await this.store.write(pin);
      this.problem = undefined;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}
