export { disturbing } from './control/openWork';
export { isAudited } from './DecisionWitness';
export { Session } from './Session';
export type { SessionHost, SessionIdentity } from './SessionHost';
export type * from './contract';
