import {
  type ChordSession,
  type MessageRules,
  type ModelPoolsDocument,
  type OpenRequest,
  type SwitchResult,
} from '../../chord';
import { withSession } from '../shared/run/withSession';
import type { ControlSettings, Operation } from './settings';
import { registry } from '../shared/run/registry';

/** What an operation came to: a sentence, and its facts for the item. */
interface Outcome {
  /** `skipped`: a request was open, and nothing was done. `unchanged`: there was nothing to do. */
  outcome: 'done' | 'unchanged' | 'skipped';
  summary: string;
  facts: Record<string, unknown>;
}

/** What an operation works with. */
interface Work {
  settings: ControlSettings;
  open: OpenRequest;
  rules: MessageRules;
}

type Operate = (session: ChordSession, work: Work) => Promise<Outcome>;

const done = (summary: string, facts: Record<string, unknown> = {}): Outcome => ({
  outcome: 'done',
  summary,
  facts,
});

const unchanged = (summary: string, facts: Record<string, unknown> = {}): Outcome => ({
  outcome: 'unchanged',
  summary,
  facts,
});

const skipped = (reason: string): Outcome => ({
  outcome: 'skipped',
  summary: `Nothing was done: ${reason}`,
  facts: { reason },
});

const poolFacts = ({ text, current_pool, agents }: ModelPoolsDocument) => ({ current_pool, agents, text });

const setModelPool: Operate = async (session, { settings: { pool, agent }, rules }) => {
  const pools = await session.models({ pool, ...(agent && { agent, rules }) });
  if (pools.skipped !== undefined) return skipped(pools.skipped);
  const whose = agent ? `The agent ${agent}` : 'The main agent';
  return done(`${whose} uses the model pool ${pool}.`, poolFacts(pools));
};

/** Says which session is active, or that Chord does not say. */
const switched = ({ text, ...ids }: SwitchResult): Outcome => {
  if (ids.skipped !== undefined) return skipped(ids.skipped);
  const { previous_session_id, active_session_id } = ids;
  const facts = { previous_session_id, active_session_id, text };
  if (active_session_id === null) return done('Chord does not say which session is active now.', facts);
  return active_session_id === previous_session_id
    ? unchanged(`The session ${active_session_id} was already active.`, facts)
    : done(`The session ${active_session_id} is active now.`, facts);
};

const isRunning = async (session: ChordSession): Promise<boolean> =>
  (await session.status({ diagnostics: false, includeModels: false })).running;

/** Stops Chord; false where it was not running. */
const stop = async (
  session: ChordSession,
  { settings: { force }, open: { holder } }: Work,
): Promise<boolean> => {
  const running = await isRunning(session);
  await registry().stop(session.key, { force, holder });
  return running;
};

/** How each operation is done, with a leased session. */
export const operate: Record<Operation, Operate> = {
  getModelPool: async (session) => {
    const pools = await session.models({});
    return done(
      pools.current_pool
        ? `The model pool is ${pools.current_pool}.`
        : 'Each agent uses its first model pool.',
      poolFacts(pools),
    );
  },
  setModelPool,
  listRoles: async (session) => {
    const { roles } = await session.role({});
    const current = roles.find((role) => role.current)?.name ?? '';
    return done(current ? `The role is ${current}.` : 'Chord does not say which role is active.', { roles });
  },
  setRole: async (session, { settings: { role, force } }) => {
    const { roles } = await session.role({ role, force });
    return done(`The role is ${role}.`, { roles });
  },
  cancelTurn: async (session) => {
    const { cancelled } = await session.cancel();
    return cancelled
      ? done('The running work was cancelled.', { cancelled })
      : unchanged('Nothing was running, so nothing was cancelled.', { cancelled });
  },
  newSession: async (session, { settings: { force }, rules }) =>
    switched(await session.switchSession({ ...rules, sessionId: '', force })),
  resumeSession: async (session, { settings: { force, sessionId }, rules }) =>
    switched(await session.switchSession({ ...rules, sessionId, force })),
  stopProcess: async (session, work) =>
    (await stop(session, work)) ? done('Chord was stopped.') : unchanged('Chord was not running.'),
  restartProcess: async (session, work) => {
    const ran = await stop(session, work);
    await withSession({ ...work.open, process: 'now' }, (started) => started.describe());
    return done(ran ? 'Chord was restarted.' : 'Chord was not running and has been started.');
  },
  runShell: async (session, { settings: { shellCommand }, rules }) => {
    const result = await session.shell(shellCommand, rules.callId);
    return done(result.failed ? `The command failed: ${result.error}` : 'The command ran.', {
      command: shellCommand,
      ...result,
    });
  },
  compact: async (session, { rules }) => {
    const result = await session.command({ ...rules, command: 'compact' });
    if (result.skipped !== undefined) return skipped(result.skipped);
    return done(result.text || 'Chord was asked to shorten the conversation.', { text: result.text });
  },
  loopOff: async (session, { rules }) => {
    if (!(await isRunning(session))) return unchanged('Chord is not running, so there is no loop to end.');
    const result = await session.command({ ...rules, command: 'loop_off' });
    if (result.skipped !== undefined) return skipped(result.skipped);
    return done(result.text || 'Loop mode was ended.', { text: result.text });
  },
  acknowledgeUnknown: async (session) => {
    const { unknown_inputs, transfer_lifted } = await session.acknowledge();
    const known = unknown_inputs.map(({ text }) => text).join(' and ');
    const facts = { unknown_inputs, transfer_lifted };
    if (!known && !transfer_lifted) return unchanged('There was nothing to acknowledge.', facts);
    const sentences = [
      known && `It is noted that nobody knows what became of ${known}.`,
      transfer_lifted && 'The session accepts messages again after a transfer.',
    ];
    return done(sentences.filter(Boolean).join(' '), facts);
  },
  cancelWait: async (session, { settings: { executionId }, open: { holder } }) =>
    (await registry().waits.cancel(executionId, session.key, holder))
      ? done(`The wait of execution ${executionId} was ended.`, { execution_id: executionId })
      : unchanged(`Execution ${executionId} is not waiting for this session.`, { execution_id: executionId }),
};

/** Operations that start no process: without a running one they change nothing, or it is they that stop and start it. */
const startNone: readonly Operation[] = [
  'acknowledgeUnknown',
  'cancelTurn',
  'cancelWait',
  'loopOff',
  'restartProcess',
  'stopProcess',
];

/** Whether an operation may bring a process into being. */
export const processFor = (operation: Operation): OpenRequest['process'] =>
  startNone.includes(operation) ? 'never' : 'on_demand';
