export { exitError } from './Connection';
export { disturbing } from './control/openWork';
export type { FirstMessage } from './Sending';
export { Session } from './Session';
export type { CallKeeper, SessionHost, SessionIdentity, SessionsBefore } from './SessionHost';
export type * from './contract';
