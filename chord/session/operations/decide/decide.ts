import type { CallControl } from '../../core/CallControl';
import { timestamp } from '../../../clock';
import { ChordError } from '../../../errors';
import type { Decision } from './Decision';
import { DecisionAudit } from './DecisionAudit';
import { requestFacts, answerable, closedError } from './answerable';
import { checkTransfer } from '../../core/checkInput';
import type { AnswerTarget, DecisionAction, DecisionResult, RequestKind, VerifiedBy } from '../../contract';
import type { CallNote } from '../call/CallNote';
import { decisionNote } from './decisionNote';
import { unattributed, type LedgerEntry } from '../../state/Ledger';
import { writeAndProve } from './proof';
import { refuseMask } from './refuseMask';
import type { SessionCore } from '../../core/SessionCore';
import type { SessionsBefore } from '../../core/SessionHost';
import { isWork } from '../../turns/Turn';
import type { TurnWaiter } from '../../turns/TurnWaiter';
import { cancelIfAsked } from '../call/cancelIfAsked';
import { untilIgnored } from '../call/untilIgnored';
import { callResult, checkJobs, checkWait, waitOverError } from '../call/wait';
import type { CallLimit, Limits } from '../../core/CallLimit';

/** Chord ended or fell silent: nothing tells whether the answer counted. */
function outcomeUnknown(core: SessionCore, requestId: string, cause: unknown): ChordError {
  return new ChordError(
    'outcome_unknown',
    `The answer to ${requestId} was written, but what became of it is unknown.`,
    {
      ...requestFacts(core, requestId),
      cause,
      description:
        'Chord ended or stopped responding at that moment. Check the project before you answer again.',
    },
  );
}

/** Takes the claim back of an answer that did not count, and says why it did not. */
async function takeBack(
  core: SessionCore,
  requestId: string,
  note: CallNote,
  error: ChordError,
): Promise<never> {
  core.requests.withdraw(requestId);
  note.withdrawn();
  if (error.code === 'command_failed' && core.isRunning()) {
    // An error without id may mean that the request is gone: the status tells.
    await core.connection.status().catch(() => undefined);
    const now = core.state.ledger.get(requestId);
    if (now && now.state !== 'open') throw closedError(core, now, true);
  }
  throw error;
}

/** Writes an answer that was claimed, and proves it. Goes on to its end also when nobody waits any longer. */
async function deliver(
  core: SessionCore,
  entry: LedgerEntry,
  decision: Decision,
  note: CallNote,
): Promise<VerifiedBy> {
  const { id } = entry.request;
  note.written();
  try {
    return await writeAndProve(core, entry, decision);
  } catch (error) {
    if (!ChordError.is(error)) throw error;
    if (error.code === 'not_delivered' || error.code === 'command_failed') {
      return await takeBack(core, id, note, error);
    }
    if (error.code === 'process_exited' || error.code === 'reply_timeout') {
      throw outcomeUnknown(core, id, error);
    }
    throw error;
  }
}

/**
 * After some answers no work follows, and Chord's `idle` has come before: a handoff that was cancelled on builds that
 * do not hold it back, a question that was declined or answered while question work is paused (protocol C). Quick work
 * after a handoff can be over before its status proves the answer (measured): then that `idle` has come before, too.
 *
 * @param worked work was seen since the answer was given
 */
function endIfNothingFollows(
  core: SessionCore,
  entry: LedgerEntry,
  action: DecisionAction,
  worked: boolean,
): void {
  if (entry.request.kind === 'handoff' && (action === 'cancel' || worked)) core.turns.endIdleTurn();
  if (entry.protocol !== 'C' || core.state.busy) return;
  const step = core.state.activeStep;
  void untilIgnored(core, () => core.state.activeStep > step).then(
    () => core.turns.endIdleTurn(),
    () => undefined,
  );
}

/**
 * Chord goes on in another session once it has the approval, whoever still waits for the proof; without a proof it may
 * have.
 */
function noteOpening(core: SessionCore, answer: Promise<unknown>, before: SessionsBefore): void {
  answer.then(
    () => core.active.handedOff(before, true),
    (error: unknown) => {
      if (ChordError.is(error) && error.code === 'outcome_unknown') core.active.handedOff(before, false);
    },
  );
}

/** Sees whether Chord works from now on. */
function watchWork(core: SessionCore): { seen: () => boolean; stop: () => void } {
  let seen = false;
  const stop = core.watch((reading) => {
    seen ||= isWork(reading);
  });
  return { seen: () => seen, stop };
}

/** What of a decision is to be waited for, and how. */
const follow = (core: SessionCore, { waitFor, decisions }: AnswerTarget): TurnWaiter | undefined =>
  waitFor === 'nothing'
    ? undefined
    : core.turns.wait({ decisions, jobs: waitFor === 'jobs', joins: true, needs: 'nothing' });

/** How far a decision has come. */
interface Progress {
  written: boolean;
  decided?: DecisionResult['decision'];
  /** What is waited for afterwards. */
  wait?: TurnWaiter;
}

/** The limits of a decision, whose error says how far it has come. */
const limitsOf = (
  core: SessionCore,
  { timeoutMs }: AnswerTarget,
  { signal }: CallControl,
  progress: Progress,
): Limits => ({
  timeoutMs,
  signal,
  error: (kind) =>
    waitOverError(kind, {
      what: 'The decision',
      written: progress.written,
      sessionKey: core.identity.key,
      details: {
        session: core.describe(),
        ...(progress.decided && { decision: progress.decided }),
        ...(progress.wait?.finished && { turn: progress.wait.finished }),
      },
    }),
});

/** Checks the answer, claims the request, writes the answer once, and proves it. */
async function answer(
  core: SessionCore,
  target: AnswerTarget,
  kind: RequestKind,
  build: (entry: LedgerEntry) => Decision,
  { note, progress, limit }: { note: CallNote; progress: Progress; limit: CallLimit },
): Promise<DecisionResult['decision']> {
  const audit = new DecisionAudit(core, target, kind);
  const { entry, decision } = audit.checked(() => {
    checkWait(target);
    checkJobs(core, target);
    checkTransfer(core);
    const asked = answerable(core, target, kind);
    const built = build(asked);
    refuseMask(core, asked, built);
    return { entry: asked, decision: built };
  });
  const { action } = decision;
  core.requests.claim(target.requestId, action, decision.reason, target.attribution);
  const work = watchWork(core);
  progress.wait = follow(core, target);
  progress.written = true;
  const before = action === 'approve' ? core.active.before() : undefined;
  try {
    const delivery = deliver(core, entry, decision, note);
    if (before !== undefined) noteOpening(core, delivery, before);
    const verified_by = await limit.race(audit.delivered(decision, delivery));
    const decided: DecisionResult['decision'] = {
      request_id: target.requestId,
      kind,
      action,
      verified_by,
      at: timestamp(core.clock),
      ...unattributed,
      ...target.attribution,
      ...decisionNote(entry, action),
    };
    endIfNothingFollows(core, entry, action, work.seen());
    return decided;
  } finally {
    work.stop();
  }
}

/**
 * Decides a request: checks it, claims it, writes the answer once, proves it, and waits as asked. Two answers at once:
 * the claim is taken without a pause in between, so exactly one is written.
 */
export async function decide(
  core: SessionCore,
  target: AnswerTarget,
  kind: RequestKind,
  build: (entry: LedgerEntry) => Decision,
  control: CallControl,
  note: CallNote,
): Promise<DecisionResult> {
  const progress: Progress = { written: false };
  return await core.limited(limitsOf(core, target, control, progress), async (limit) => {
    try {
      await limit.race(note.ready());
      const decision = await answer(core, target, kind, build, { note, progress, limit });
      progress.decided = decision;
      core.turns.routeOpen();
      const { wait } = progress;
      const after = wait
        ? await limit.race(wait.done.then((outcome) => callResult(core, outcome, target)))
        : null;
      return { decision, session: core.describe(), after };
    } catch (error) {
      await cancelIfAsked(core, target, error, progress.wait);
      throw error;
    } finally {
      progress.wait?.leave();
    }
  });
}
