import type { ITriggerFunctions } from 'n8n-workflow';
import { cureOf, type ChordError } from '../../chord';
import { nodeError } from '../shared/errors/nodeError';

/**
 * Whether activating has to fail, so that the user sees the error and changes something. With anything else the trigger
 * stays active and tries again by itself: n8n gives a rejecting trigger up for good after 15 seconds, even over a restart
 * (measured).
 */
export const needsUser = ({ code }: ChordError): boolean => ['user', 'start'].includes(cureOf(code) ?? '');

/**
 * How long an active trigger waits before it tries again to get its session, in milliseconds: a minute; ten where
 * somebody has to change something first, or where Chord failed too often.
 */
export const retryAfter = (error: ChordError): number =>
  needsUser(error) || error.facts.details?.given_up === true ? 10 * 60_000 : 60_000;

/**
 * Reports a failure of an active trigger: as a failed execution where n8n can store one (2.x; not in 1.123), else in
 * n8n's log. Never by `emitError`, which closes all triggers of the workflow.
 */
export const reportFailure = (context: ITriggerFunctions, error: ChordError): void => {
  context.logger.error(`${context.getNode().name}: ${error.message} ${error.description}`.trim());
  if (typeof context.saveFailedExecution !== 'function') return;
  try {
    context.saveFailedExecution(nodeError(context.getNode(), error));
  } catch (failure) {
    context.logger.error('The failed execution could not be stored.', { reason: String(failure) });
  }
};
