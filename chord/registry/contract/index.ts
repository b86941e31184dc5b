export type * from './connection';
export type * from './opening';
export type * from './registry';
export type * from './waits';
