import { ChordError } from '../../errors';
import type { SessionCore } from '../SessionCore';

/** One thing that goes on in a session and that a change of it would disturb. */
export interface OpenWork {
  kind: 'request' | 'work' | 'jobs' | 'messages' | 'unknown' | 'transfer';
  /** For people. */
  text: string;
}

/** Whether Chord only waits for the decision on a plan: newer builds then stay busy, though nothing runs. */
const onlyPlansWait = (core: SessionCore): boolean => {
  const open = core.state.ledger.open();
  return open.length > 0 && open.every(({ request }) => request.kind === 'handoff');
};

/** What goes on in a session; empty when nothing does. */
export function openWork(core: SessionCore): OpenWork[] {
  const { state, inputs, queue } = core;
  const jobs = state.runningJobs ?? 0;
  const works = (state.busy && !onlyPlansWait(core)) || core.shellRuns;
  const found: (OpenWork | false)[] = [
    ...state.ledger.open().map(
      ({ request }): OpenWork => ({
        kind: 'request',
        text: `the ${request.kind} ${request.id} waits for a decision`,
      }),
    ),
    works && { kind: 'work', text: 'Chord works on something' },
    jobs > 0 && {
      kind: 'jobs',
      text: `${jobs} background ${jobs === 1 ? 'job runs' : 'jobs run'}`,
    },
    (queue.length > 0 || queue.settling || inputs.open) && {
      kind: 'messages',
      text: 'a message waits or is on its way',
    },
    inputs.unknown > 0 && {
      kind: 'unknown',
      text: 'it is unknown what became of a message or an answer',
    },
    state.transferring && { kind: 'transfer', text: 'the session is being moved to another client' },
  ];
  return found.filter((entry) => entry !== false);
}

/**
 * Refuses what would disturb somebody.
 *
 * @param what what is not done, e.g. "The role was not changed"
 * @param ignored what is dealt with otherwise
 * @throws ChordError `request_open` when a person has to decide something first, else `session_busy`
 */
export function refuseToDisturb(core: SessionCore, what: string, ignored: OpenWork['kind'][] = []): void {
  const reasons = openWork(core).filter(({ kind }) => !ignored.includes(kind));
  if (reasons.length === 0) return;
  const [open] = reasons.some(({ kind }) => kind === 'request') ? core.state.ledger.open() : [];
  const texts = reasons.map(({ text }) => text);
  throw new ChordError(open ? 'request_open' : 'session_busy', `${what}: ${texts.join('; ')}.`, {
    sessionKey: core.identity.key,
    ...(open && { requestId: open.request.id }),
    description: 'Wait until it is over, or switch on "Force" if it may be disturbed.',
    details: { reasons: texts },
  });
}
