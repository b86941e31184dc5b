export type * from './audit';
export type * from './control';
export type * from './events';
export type * from './requests';
export type * from './session';
export type * from './status';
export type * from './turns';
export type * from './texts';
