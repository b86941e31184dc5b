import type { Clock } from '../../clock';
import type { ChordSession, Session, SessionHost, SessionIdentity } from '../../session';

/** What the registry needs of a session: what leases pass on, and what it steers by. */
export type LeasedSession = Pick<
  Session,
  | Exclude<keyof ChordSession, 'key' | 'release'>
  | 'isIdle'
  | 'refuseToDisturb'
  | 'attached'
  | 'sessionId'
  | 'unknownInputs'
  | 'attach'
  | 'announce'
  | 'interrupt'
  | 'forget'
  | 'beginSession'
>;

/** Makes the session of one key. */
export type MakeSession = (identity: SessionIdentity, host: SessionHost, clock: Clock) => LeasedSession;
