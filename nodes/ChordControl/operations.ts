import {
  type CallControl,
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
  control: CallControl;
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

/** Says which session is active, or that Chord does not tell. */
const switched = ({ text, ...ids }: SwitchResult): Outcome => {
  if (ids.skipped !== undefined) return skipped(ids.skipped);
  const { previous_session_id, active_session_id } = ids;
  const facts = { previous_session_id, active_session_id, text };
  if (active_session_id === null) return done('Chord does not tell which session is active now.', facts);
  return active_session_id === previous_session_id
    ? unchanged(`The session ${active_session_id} was active already.`, facts)
    : done(`The session ${active_session_id} is active now.`, facts);
};

const stop = async (
  session: ChordSession,
  { settings: { force }, open: { holder } }: Work,
): Promise<boolean> => {
  const { running } = await session.status({ diagnostics: false, includeModels: false });
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
    return done(current ? `The role is ${current}.` : 'Chord does not tell which role is active.', { roles });
  },
  setRole: async (session, { settings: { role, force } }) => {
    const { roles } = await session.role({ role, force });
    return done(`The role is ${role}.`, { roles });
  },
  cancelTurn: async (session) => {
    const { cancelled } = await session.cancel();
    return cancelled
      ? done('The running work was cancelled.', { cancelled })
      : unchanged('Nothing ran, so nothing was cancelled.', { cancelled });
  },
  newSession: async (session, { settings: { force }, rules, control }) =>
    switched(await session.switchSession({ ...rules, sessionId: '', force }, control)),
  resumeSession: async (session, { settings: { force, sessionId }, rules, control }) =>
    switched(await session.switchSession({ ...rules, sessionId, force }, control)),
  stopProcess: async (session, work) =>
    (await stop(session, work)) ? done('Chord was stopped.') : unchanged('Chord did not run.'),
  restartProcess: async (session, work) => {
    const ran = await stop(session, work);
    await withSession({ ...work.open, process: 'now' }, (started) => started.describe());
    return done(ran ? 'Chord was restarted.' : 'Chord did not run, and was started.');
  },
  runShell: async (session, { settings: { shellCommand }, rules }) => {
    const result = await session.shell(shellCommand, rules.callId);
    return done(result.failed ? `The command failed: ${result.error}` : 'The command was run.', {
      command: shellCommand,
      ...result,
    });
  },
  compact: async (session, { rules, control }) => {
    const result = await session.command({ ...rules, command: 'compact' }, control);
    if (result.skipped !== undefined) return skipped(result.skipped);
    return done(result.text || 'Chord was told to make the conversation shorter.', { text: result.text });
  },
  loopOff: async (session, { rules, control }) => {
    const { attached } = await attachment(session);
    if (!attached) return unchanged('Chord does not run, so no loop runs either.');
    const result = await session.command({ ...rules, command: 'loop_off' }, control);
    if (result.skipped !== undefined) return skipped(result.skipped);
    return done(result.text || 'Loop mode was ended.', { text: result.text });
  },
  acknowledgeUnknown: async (session) => {
    const { unknown_inputs, transfer_lifted } = await session.acknowledge();
    const known = unknown_inputs.map(({ text }) => text).join(' and ');
    const facts = { unknown_inputs, transfer_lifted };
    if (!known && !transfer_lifted) return unchanged('Nothing was unknown.', facts);
    const sentences = [
      known && `It is noted that nobody knows what became of ${known}.`,
      transfer_lifted && 'The session takes messages again after a transfer.',
    ];
    return done(sentences.filter(Boolean).join(' '), facts);
  },
  cancelWait: async (session, { settings: { executionId }, open: { holder } }) =>
    (await registry().waits.cancel(executionId, session.key, holder))
      ? done(`The wait of execution ${executionId} was ended.`, { execution_id: executionId })
      : unchanged(`Execution ${executionId} does not wait for this session.`, { execution_id: executionId }),
};

const attachment = async (session: ChordSession): Promise<{ attached: boolean }> => ({
  attached: (await session.status({ diagnostics: false, includeModels: false })).running,
});

/** Operations that have nothing to do without a running process, and never start one. */
const needProcess: readonly Operation[] = [
  'acknowledgeUnknown',
  'cancelTurn',
  'cancelWait',
  'loopOff',
  'restartProcess',
  'stopProcess',
];

/** Whether an operation may bring a process into being. */
export const processFor = (operation: Operation): OpenRequest['process'] =>
  needProcess.includes(operation) ? 'never' : 'on_demand';
