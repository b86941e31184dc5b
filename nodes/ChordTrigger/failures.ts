import type { ITriggerFunctions } from 'n8n-workflow';
import { type ChordError, type ErrorCode } from '../../chord';
import { nodeError } from '../shared/errors/nodeError';

/**
 * What only the user can cure, so that activating fails at once. With anything else the trigger stays active and tries
 * again by itself: n8n gives a rejecting trigger up for good after 15 seconds, even over a restart (measured).
 */
const forTheUser: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'binary_not_found',
  'binary_not_executable',
  'not_chord',
  'directory_missing',
  'directory_not_a_folder',
  'directory_unreadable',
  'directory_not_allowed',
  'invalid_settings',
  'invalid_name',
  'not_a_repository',
  'repository_not_trusted',
  'repository_empty',
  'worktree_failed',
  'no_home_folder',
  'no_configuration',
  'invalid_configuration',
  'session_not_found',
  'wrong_session',
  'pin_ambiguous',
  'queue_mode',
]);

/** Whether activating has to fail, so that the user sees the error and changes something. */
export const needsUser = ({ code }: ChordError): boolean => forTheUser.has(code);

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
