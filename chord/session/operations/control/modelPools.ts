import { ChordError } from '../../../errors';
import { readPayload } from '../../../protocol/envelopes';
import { checkTransfer } from '../../core/checkInput';
import type { AgentPoolDocument, ModelPoolsDocument, ModelsRequest } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { anyTimeCommand } from '../commands/anyTimeCommand';

/** Chord sets a pool on its event loop, a moment after it has said `ok`: so often it is read back, ms apart. */
const readings = { times: 20, everyMs: 100 };

const missing = / \(missing\)$/;

/** Reads Chord's status text (measured); what is worded otherwise one day reads as empty. */
function readModelPools(text: string): ModelPoolsDocument {
  const fixed = new Map<string, string>();
  const agents: AgentPoolDocument[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const entry = /^ {2}(.+?): (.*)$/.exec(line);
    if (!entry) {
      section = line;
      continue;
    }
    const [, name = '', rest = ''] = entry;
    if (section.startsWith('Fixed')) fixed.set(name, rest.replace(missing, ''));
    else {
      const pool = rest === '(no pool)' ? '' : rest.replace(/ \(\d+ model.*\)$/, '');
      agents.push({ name, pool, fixed: fixed.has(name) });
    }
  }
  const current = /^Model pool: (.*)$/m.exec(text)?.[1]?.trim() ?? '';
  return { text, current_pool: current.replace(missing, ''), agents };
}

async function ask(core: SessionCore, pool?: string): Promise<ModelPoolsDocument> {
  const action = pool === undefined ? ('status' as const) : ('set_current_model_pool' as const);
  const { done } = core.connection.issue(
    { type: 'models', action, ...(pool && { pool }) },
    'models_response',
  );
  const reply = readPayload('models_response', (await done) ?? { type: 'models_response' });
  if (reply.ok) return readModelPools(reply.status || reply.message);
  throw new ChordError('command_failed', `Chord refused: ${reply.message}`, {
    sessionKey: core.identity.key,
  });
}

/** Names go into a slash command, where a blank would end them and a dash in front make them an option. */
function checkName(what: string, name: string): void {
  if (/^[^\s-]\S*$/.test(name)) return;
  throw new ChordError(
    'invalid_settings',
    name === ''
      ? `No ${what} is given.`
      : `"${name}" is not the name of ${what === 'agent' ? 'an' : 'a'} ${what}.`,
    { description: `Type the name of the ${what} as it stands in Chord's configuration.` },
  );
}

/** Watches for the error in which Chord refuses a pool after it has said `ok` to it (measured). */
function listenForRefusal(core: SessionCore): { message: () => string; stop: () => void } {
  let message = '';
  const stop = core.watch((reading) => {
    if (reading.type !== 'error') return;
    if (reading.payload.message.startsWith('/models')) message = reading.payload.message;
  });
  return { message: () => message, stop };
}

const isSet = ({ current_pool, agents }: ModelPoolsDocument, pool: string, agent: string): boolean =>
  agent === ''
    ? current_pool === pool
    : agents.some((entry) => entry.name === agent && entry.fixed && entry.pool === pool);

async function readBack(
  core: SessionCore,
  { pool, agent, refusal }: { pool: string; agent: string; refusal: () => string },
): Promise<ModelPoolsDocument> {
  for (let reading = 0; reading < readings.times; reading += 1) {
    if (reading > 0) {
      await new Promise<void>((resolve) => core.clock.after(readings.everyMs, resolve));
    }
    const now = await ask(core);
    if (isSet(now, pool, agent)) return now;
    if (refusal() !== '') {
      throw new ChordError('command_failed', `Chord refused the model pool "${pool}": ${refusal()}`, {
        sessionKey: core.identity.key,
        description: 'Nothing was changed. The operation "Get Model Pool" shows which pools are in use.',
      });
    }
  }
  throw new ChordError(
    'command_failed',
    `Chord accepted the model pool "${pool}" but does not use it: its status still shows another one.`,
    {
      sessionKey: core.identity.key,
      description: 'Check the name. The operation "Get Model Pool" shows which pools are in use.',
    },
  );
}

/**
 * The model pools, or those after setting one. Chord says `ok` to a pool that does not exist (measured), so only
 * what is read back counts as set.
 */
export async function models(core: SessionCore, request: ModelsRequest): Promise<ModelPoolsDocument> {
  if (request.pool === undefined) return await ask(core);
  const pool = request.pool.trim();
  const agent = request.agent?.trim() ?? '';
  checkName('model pool', pool);
  if (agent !== '') checkName('agent', agent);
  const before = await ask(core);
  if (isSet(before, pool, agent)) return before;
  const refusal = listenForRefusal(core);
  try {
    if (agent === '') {
      checkTransfer(core);
      await ask(core, pool);
    } else {
      const command = `/models --agent ${agent} ${pool}`;
      const rules = request.rules ?? { whenRequestOpen: 'fail' as const, heldRequests: [] };
      const { skipped } = await anyTimeCommand(core, command, rules);
      if (skipped !== undefined) return { ...before, skipped };
    }
    return await readBack(core, { pool, agent, refusal: refusal.message });
  } finally {
    refusal.stop();
  }
}
