import { ChordError } from '../../errors';
import { openEntries } from '../Ledger';
import type { SessionCore } from '../SessionCore';

/** What goes on in a session that a change of it would disturb, in words; empty when nothing does. */
export function openWork(core: SessionCore): string[] {
  const { state, inputs, queue } = core;
  const jobs = state.runningJobs ?? 0;
  return [
    ...openEntries(state.ledger).map(
      ({ request }) => `the ${request.kind} ${request.id} waits for a decision`,
    ),
    ...(state.busy || core.shellRuns ? ['Chord works on something'] : []),
    ...(jobs > 0 ? [`${jobs} background ${jobs === 1 ? 'job runs' : 'jobs run'}`] : []),
    ...(queue.length > 0 || queue.settling || inputs.open ? ['a message waits or is on its way'] : []),
    ...(inputs.unknown > 0 ? ['it is unknown what became of a message or an answer'] : []),
    ...(state.transferring ? ['the session is being moved to another client'] : []),
  ];
}

/**
 * Refuses what would disturb somebody.
 *
 * @param what what is not done, e.g. "The role was not changed"
 * @param except open requests that are dealt with otherwise
 * @throws ChordError `request_open` when only requests are open, else `session_busy`
 */
export function refuseToDisturb(
  core: SessionCore,
  what: string,
  except: 'requests' | 'nothing' = 'nothing',
): void {
  const open = openEntries(core.state.ledger);
  const reasons = openWork(core).slice(except === 'requests' ? open.length : 0);
  if (reasons.length === 0) return;
  const onlyRequests = reasons.length === open.length;
  throw new ChordError(onlyRequests ? 'request_open' : 'session_busy', `${what}: ${reasons.join('; ')}.`, {
    sessionKey: core.identity.key,
    ...(onlyRequests && open[0] && { requestId: open[0].request.id }),
    description: 'Wait until it is over, or switch on "Force" if it may be disturbed.',
    details: { reasons },
  });
}
