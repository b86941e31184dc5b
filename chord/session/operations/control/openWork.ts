import { ChordError } from '../../../errors';
import type { SessionCore } from '../../core/SessionCore';

/** One thing that goes on in a session and that a change of it would disturb. */
export interface OpenWork {
  kind: 'request' | 'work' | 'jobs' | 'messages' | 'unknown' | 'transfer' | 'waits';
  /** For people. */
  text: string;
}

/** Whether Chord only waits for the decision on a plan: newer builds then stay busy, though nothing runs. */
const onlyPlansWait = (core: SessionCore): boolean => {
  const open = core.state.ledger.open();
  return open.length > 0 && open.every(({ request }) => request.kind === 'handoff');
};

/** What Chord works on. */
function workText({ turns, state, isShellRunning }: SessionCore): string {
  if (isShellRunning) return 'a local shell command is running';
  if (!turns.running) return 'Chord is working on something';
  const since = new Date(turns.running.startedAt).toISOString();
  return `a turn has been running since ${since}${state.phase ? ` (${state.phase})` : ''}`;
}

/** What goes on in a session; empty when nothing does. */
export function openWork(core: SessionCore): OpenWork[] {
  const { state, inputs, queue } = core;
  const jobs = state.runningJobs ?? 0;
  const works = core.isShellRunning || (core.busy && !onlyPlansWait(core));
  const waits = core.waitingCalls;
  const found: (OpenWork | false)[] = [
    ...state.ledger.open().map(
      ({ request }): OpenWork => ({
        kind: 'request',
        text: `the ${request.kind} ${request.id} is waiting for a decision`,
      }),
    ),
    works && { kind: 'work', text: workText(core) },
    jobs > 0 && {
      kind: 'jobs',
      text: `${jobs} background ${jobs === 1 ? 'job is running' : 'jobs are running'}`,
    },
    (queue.length > 0 || queue.settling || inputs.open) && {
      kind: 'messages',
      text: 'a message is waiting or on its way',
    },
    inputs.unknown > 0 && {
      kind: 'unknown',
      text: `it is unknown what became of ${inputs.unknownNames.join(' and ')}`,
    },
    state.transferring && { kind: 'transfer', text: 'the session is being moved to another client' },
    waits > 0 && {
      kind: 'waits',
      text: `${waits} workflow ${waits === 1 ? 'node waits' : 'nodes wait'} for what comes of it`,
    },
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
  throw disturbing(what, texts, { sessionKey: core.identity.key, requestId: open?.request.id });
}

/** The one error of all that is refused since it would disturb somebody. With a request in it, that comes first. */
export const disturbing = (
  what: string,
  reasons: string[],
  { sessionKey, requestId }: { sessionKey: string; requestId?: string | undefined },
): ChordError =>
  new ChordError(
    requestId === undefined ? 'session_busy' : 'request_open',
    `${what}: ${reasons.join('; ')}.`,
    {
      sessionKey,
      ...(requestId !== undefined && { requestId }),
      description: 'Wait until it is over, or switch on "Force" if you do not mind interrupting it.',
      details: { reasons },
    },
  );
