export { exitError } from './connection/Connection';
export { checkSessionId } from './operations/control/checkSessionId';
export { disturbing } from './operations/control/openWork';
export type { FirstMessage } from './operations/send/Sending';
export { Session } from './Session';
export type { CallKeeper, SessionHost, SessionIdentity, SessionsBefore } from './core/SessionHost';
export type * from './contract';
export type { CallControl, Controlled, Method } from './core/CallControl';
export { makeCall } from './makeCall';
