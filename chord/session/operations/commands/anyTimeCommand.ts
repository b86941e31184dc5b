import type { CallControl } from '../../core/CallControl';
import type { LocalCommandResult, MessageRules } from '../../contract';
import type { SessionCore } from '../../core/SessionCore';
import { noNote, type CallNote } from '../call/CallNote';
import { inPlace } from './inPlace';

/**
 * Has Chord do one of the slash commands that it does at any time, also in the middle of a turn. It has to go as a
 * message, which closes what is open: so open requests are looked at first.
 */
export async function anyTimeCommand(
  core: SessionCore,
  command: string,
  { whenRequestOpen, heldRequests }: Pick<MessageRules, 'whenRequestOpen' | 'heldRequests'>,
  control: CallControl = {},
  note: CallNote = noNote,
): Promise<LocalCommandResult> {
  const rules = { whenBusy: 'join', whenRequestOpen, heldRequests } as const;
  const text = await inPlace(core, rules, control, note, (carryOut) => carryOut(command));
  return typeof text === 'string' ? { text } : { text: '', ...text };
}
