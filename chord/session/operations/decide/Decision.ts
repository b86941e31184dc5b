import type { Command } from '../../../protocol/commands';
import type { DecisionAction } from '../../contract';

/** An answer that is ready to be written. */
export interface Decision {
  action: DecisionAction;
  /** The line; made from the request, so that bad input is found before anything is claimed. */
  command: Command;
  /** Said with a denied `done`. */
  reason: string;
}
