import type {
  AnswerTarget,
  CallControl,
  ChordSession,
  DecisionResult,
  OpenRequest,
  RequestKind,
} from '../../../chord';
import type { ParameterReader } from '../settings/ParameterReader';

/** Gives an answer that was read and checked to the session that asked. */
export type Give = (
  session: ChordSession,
  target: AnswerTarget,
  control: CallControl,
) => Promise<DecisionResult>;

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
  read(parameters: ParameterReader, step: unknown): Give;
  /** Refuses what was asked, because nobody answered. */
  refuse(reason: string): Give;
}
