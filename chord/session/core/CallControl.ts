import type { ChordSession } from '../contract';

/** Ends a call from outside, e.g. when n8n stops its execution. */
export interface CallControl {
  signal?: AbortSignal;
}

/** A method of the contract. */
export type Method<Name extends keyof ChordSession> = ChordSession[Name];

/** One whose call can also be ended from within the registry. */
export type Controlled<Name extends 'send' | 'confirm' | 'answer' | 'handoff' | 'switchSession' | 'command'> =
  (request: Parameters<ChordSession[Name]>[0], control?: CallControl) => ReturnType<ChordSession[Name]>;
