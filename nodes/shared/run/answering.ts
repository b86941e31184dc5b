import type { AnswerTarget, OpenRequest, RequestKind, SessionCall } from '../../../chord';
import type { ParameterReader } from '../settings/ParameterReader';

/** The call that gives an answer, which was read and checked, to the request that it is for. */
export type CallFor = (target: AnswerTarget) => SessionCall<'confirm' | 'answer' | 'handoff'>;

/** How requests of one kind are answered: by the node that is made for it, and by Chord Answer. */
export interface Answering {
  kind: RequestKind;
  /** How its session is opened, where that is more than to look for a running process. */
  open?: Pick<OpenRequest, 'process' | 'start'>;
  /** Whether the answer comes from an approval step. Chord Answer has no parameter for it, which means that it does. */
  fromStep(parameters: ParameterReader): boolean;
  /**
   * Reads the answer.
   *
   * @param step what the approval step gave; `undefined` when nobody answered
   * @throws ChordError `no_decision`, or what else is wrong with it
   */
  read(parameters: ParameterReader, step: unknown): CallFor;
  /** Refuses what was asked, because nobody answered. */
  refuse(reason: string): CallFor;
}
