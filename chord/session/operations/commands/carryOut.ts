import { randomUUID } from 'node:crypto';
import { ChordError } from '../../../errors';
import { exitError, type Connection } from '../../connection/Connection';
import { unknownOutcome, type Receipt } from '../../input/UnconfirmedInputs';
import { never } from '../call/never';
import { LocalOutput } from './LocalOutput';
import { beingAnswered } from '../../state/requestTransitions';
import type { SessionCore } from '../../core/SessionCore';
import { whenSeen } from './whenSeen';

/** So often it is looked whether Chord still runs: an exit sends no envelope. */
const lookEveryMs = 1000;

/**
 * Where there are receipts, only they tell what became of a command: what is printed may be about something else.
 *
 * @returns never
 * @throws ChordError `process_exited` when this process ended without one
 */
async function untilExit(
  core: SessionCore,
  connection: Connection,
  isReceived: () => boolean,
): Promise<never> {
  while (!isReceived()) {
    if (connection.report) throw exitError(connection.report, core.identity.key);
    await whenSeen(core, isReceived, lookEveryMs);
  }
  return await never();
}

/** Writes the command and gives what Chord printed, without waiting for a running turn. */
export async function carryOut(core: SessionCore, command: string): Promise<string> {
  const busy = core.state.busy;
  const output = new LocalOutput(core);
  const id = randomUUID();
  let received = false;
  let receive: (receipt: Receipt) => void = () => undefined;
  const receipt = new Promise<Receipt>((resolve) => {
    receive = (given) => {
      received = true;
      resolve(given);
    };
  });
  core.inputs.add(id, command, receive);
  const answered = beingAnswered(core.state);
  try {
    const { connection } = core;
    const { written, done } = connection.issue({ type: 'send', content: command, request_id: id }, null);
    await written;
    const admits = core.state.capabilities.receipts === true;
    if (!admits) core.requests.supersede(answered);
    const refused = done.then(() => never());
    const printed = output
      .printed()
      .then(() => (admits ? untilExit(core, connection, () => received) : null));
    const answer = await Promise.race([receipt, printed, refused]);
    if (answer?.status === 'rejected') {
      throw new ChordError('rejected', `Chord refused ${command}: ${answer.message || 'it gave no reason'}`, {
        sessionKey: core.identity.key,
      });
    }
    if (answer?.status === 'unknown') throw unknownOutcome(core, command, answer);
    if (admits) core.requests.supersede(answered);
    // What the command printed stands before the answer to what is asked after it.
    if (answer) await core.connection.status();
    // While the agent works, an error may be about its work.
    if (output.error && (!busy || output.error.startsWith('/'))) {
      throw new ChordError('command_failed', `Chord refused ${command}: ${output.error}`, {
        sessionKey: core.identity.key,
      });
    }
    return output.text;
  } finally {
    core.inputs.remove(id);
    output.dispose();
  }
}
