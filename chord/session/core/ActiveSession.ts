import type { Reading } from '../../protocol/envelopes';
import type { SessionHost, SessionsBefore } from './SessionHost';
import type { SessionState } from '../state/SessionState';
import { isWork } from '../turns/Turn';
import type { UsageMeter } from '../turns/UsageMeter';

/** What it needs of the session around it. */
export interface ActiveSessionDeps {
  state(): SessionState;
  /** Chord works in this session, though no envelope said so. */
  moveTo(sessionId: string): void;
  host: Pick<SessionHost, 'sessionChanged' | 'sessionsBefore' | 'handedOff' | 'sessionSince'>;
  usage: UsageMeter;
}

/** Follows which of its sessions Chord works in, and whether that one can be resumed, and informs the host. */
export class ActiveSession {
  /** Chord works in a session whose id is not known: after an accepted handoff, where switches are not announced. */
  private unannounced = false;

  /** The session that is known to have messages. */
  private usedId = '';

  /** The session that a message asks Chord to resume; empty for none. */
  private resuming = '';

  private looking: Promise<void> | undefined;

  constructor(private readonly deps: ActiveSessionDeps) {}

  /** Whether the id that is known is the one of the session that Chord works in. */
  get isKnown(): boolean {
    return !this.unannounced;
  }

  /**
   * A message asks Chord to resume this session, which has messages then; empty: it asks for none, or came to nothing,
   * so that the next switch is to another one.
   */
  expectResume(sessionId: string): void {
    this.resuming = sessionId;
  }

  /** Chord said that it works in another session. */
  switched(sessionId: string): void {
    const { host, usage } = this.deps;
    this.unannounced = false;
    const resumed = this.resuming !== '' && sessionId === this.resuming;
    host.sessionChanged(sessionId, resumed ? 'used' : 'empty');
    this.usedId = resumed ? sessionId : '';
    // What it cost before is no cost of the turns to come.
    if (resumed) usage.open(sessionId);
    this.resuming = '';
  }

  /** Takes in one envelope: from the first message that Chord took on, a session can be resumed. */
  accept(reading: Reading): void {
    const isUse = isWork(reading) || (reading.type === 'input_result' && reading.payload.status === 'queued');
    if (!isUse) return;
    const { sessionId } = this.deps.state();
    if (this.usedId === sessionId) return;
    this.usedId = sessionId;
    this.deps.host.sessionChanged(sessionId, 'used');
  }

  /** Asked before a handoff is accepted; `undefined` where Chord announces which session it opens then. */
  before(): SessionsBefore | undefined {
    return this.announcesSwitches ? undefined : this.deps.host.sessionsBefore();
  }

  /** A handoff was accepted, or may have been where that is not proved: a new session begins. */
  handedOff(before: SessionsBefore, proved: boolean): void {
    if (this.announcesSwitches) return;
    this.unannounced = true;
    this.deps.host.handedOff(before, proved);
  }

  /**
   * Finds the session that a handoff opened unannounced; requests that are open now belong to it already. Several
   * ask at the end of a turn, who share one look.
   */
  async find(): Promise<void> {
    if (!this.unannounced) return;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    await this.looking;
  }

  private async look(): Promise<void> {
    const id = await this.deps.host.sessionSince();
    // Chord may have announced another switch meanwhile.
    if (id === undefined || this.isKnown) return;
    this.unannounced = false;
    this.usedId = id;
    this.deps.moveTo(id);
    this.deps.host.sessionChanged(id, 'used');
  }

  private get announcesSwitches(): boolean {
    return this.deps.state().capabilities.session_switched === true;
  }
}
