import type { CallControl } from '../../core/CallControl';
import { ChordError } from '../../../errors';
import type { LocalCommandRequest, LocalCommandResult, MessageRules } from '../../contract';
import { send } from '../send/send';
import { sendRequest } from '../send/sendRequest';
import type { SessionCore } from '../../core/SessionCore';
import { anyTimeCommand } from '../commands/anyTimeCommand';
import type { CallNote } from '../call/CallNote';
import { whenSeen } from '../commands/whenSeen';

/** Words of `compaction_status` after which nothing more comes of it. */
const endings = new Set(['succeeded', 'skipped', 'failed', 'cancelled']);

/** So often it is looked whether Chord still works on it: an exit sends no envelope. */
const lookEveryMs = 1000;

/** Follows a compaction: newer builds acknowledge the command at once and work on it afterwards. */
function followCompaction(core: SessionCore): { over: () => Promise<string>; stop: () => void } {
  let started = false;
  let ended = '';
  const stop = core.watch((reading) => {
    if (reading.type !== 'compaction_status') return;
    const { status, reason } = reading.payload;
    started ||= status === 'started';
    if (endings.has(status)) ended = reason ? `${status}: ${reason}` : status;
  });
  return {
    over: async () => {
      while (started && ended === '' && core.state.busy) {
        await whenSeen(core, () => ended !== '' || !core.state.busy, lookEveryMs);
      }
      return ended;
    },
    stop,
  };
}

async function compact(
  core: SessionCore,
  rules: MessageRules,
  control: CallControl,
  note: CallNote,
): Promise<LocalCommandResult> {
  const compaction = followCompaction(core);
  try {
    const call = await send(
      core,
      sendRequest('/compact', { ...rules, callId: '', allowCommands: true }),
      control,
      note,
    );
    if (call.kind !== 'finished') return { text: '' };
    const { outcome, reason, text } = call.result;
    if (outcome === 'skipped') return { text: '', skipped: reason ?? '' };
    const ended = await compaction.over();
    if (ended.startsWith('failed')) {
      throw new ChordError('command_failed', `Chord could not shorten the conversation: ${ended}`, {
        sessionKey: core.identity.key,
      });
    }
    return { text: text || (ended && `The compaction has ${ended}.`) };
  } finally {
    compaction.stop();
  }
}

/** Carries out a command that Chord does by itself and has no wire command for. */
export async function localCommand(
  core: SessionCore,
  { command, ...rules }: LocalCommandRequest,
  control: CallControl,
  note: CallNote,
): Promise<LocalCommandResult> {
  switch (command) {
    case 'compact':
      return await compact(core, rules, control, note);
    case 'loop_off':
      return await anyTimeCommand(core, '/loop off', rules, control, note);
  }
}
