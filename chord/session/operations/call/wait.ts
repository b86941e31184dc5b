import { ChordError } from '../../../errors';
import type { CallResult, WaitRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import type { TurnOutcome } from '../../turns/TurnWaiter';

/**
 * What a wait for a turn comes to in a node.
 *
 * @throws ChordError `turn_failed`, with the whole turn in its details
 */
export async function callResult(
  core: SessionCore,
  outcome: TurnOutcome,
  { approvalForm = [] }: Pick<WaitRequest, 'approvalForm'>,
): Promise<CallResult> {
  if (outcome.kind === 'decision') {
    return {
      kind: 'needs_decision',
      events: outcome.entries.map((entry) => core.events.requestFor(entry, approvalForm)),
    };
  }
  const result = await core.results.result(outcome);
  if (outcome.end === 'failed') {
    throw new ChordError('turn_failed', `Chord failed: ${outcome.error || 'it gave no reason'}`, {
      sessionKey: core.identity.key,
      description:
        'The message holds the error of the model or of a tool; the details show what was done until then.',
      details: { ...result },
    });
  }
  return { kind: 'finished', result };
}

/**
 * Checks what a call wants to wait for, before anything else is done for it.
 *
 * @throws ChordError `invalid_settings`
 */
export function checkWait({ waitFor, timeoutMs }: WaitRequest): void {
  if (timeoutMs < 0 || Number.isNaN(timeoutMs)) {
    throw new ChordError('invalid_settings', 'The time limit must not be negative; 0 means none.');
  }
  if (waitFor !== 'jobs' || timeoutMs > 0) return;
  throw new ChordError('invalid_settings', 'Waiting for background jobs needs a time limit.', {
    description: 'A job such as a watcher may never end. Set "Time Limit" above 0.',
  });
}

/**
 * Checks whether this Chord can be waited for as a call wants it; once it has shown what it can do.
 *
 * @throws ChordError `not_supported`
 */
export function checkJobs(core: SessionCore, { waitFor }: WaitRequest): void {
  if (waitFor !== 'jobs' || core.state.capabilities.running_jobs !== false) return;
  throw new ChordError(
    'not_supported',
    'This version of Chord does not report background jobs, so they cannot be waited for.',
    { description: 'Wait for the turn only, or install a newer Chord.' },
  );
}

/** The error of a wait that ended early, with what is known of it. */
export function waitOverError(
  kind: 'timeout' | 'interrupted',
  facts: { what: string; written: boolean; details?: Record<string, unknown>; sessionKey: string },
): ChordError {
  const how = kind === 'timeout' ? 'The time limit was reached' : 'The wait was interrupted';
  const state = facts.written
    ? `${facts.what} was written; Chord may still be working on it.`
    : `${facts.what} was not written.`;
  return new ChordError(kind, `${how}. ${state}`, {
    sessionKey: facts.sessionKey,
    description: facts.written
      ? 'Chord Trigger and Chord Status show how it goes on.'
      : 'Nothing happened in Chord, so you can try again.',
    details: { written: facts.written, ...facts.details },
  });
}
