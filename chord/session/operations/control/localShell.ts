import { ChordError } from '../../../errors';
import { readPayload } from '../../../protocol/envelopes';
import { checkTransfer } from '../../core/checkInput';
import type { SessionCore } from '../../core/SessionCore';
import type { CallNote } from '../call/CallNote';

/**
 * Runs a command in Chord's environment, past all its permission rules. Chord reads no other command meanwhile, and
 * stops it after about 120 s.
 *
 * @throws ChordError `command_not_allowed` where the credential does not allow it; nothing is started then
 */
export async function localShell(
  core: SessionCore,
  command: string,
  note: CallNote,
): Promise<{ output: string; failed: boolean; error: string }> {
  if (!core.identity.allowLocalShell) {
    throw new ChordError('command_not_allowed', 'This connection does not allow local shell commands.', {
      description: 'They bypass all permission rules. A switch in the credential allows them.',
    });
  }
  if (command.trim() === '') {
    throw new ChordError('invalid_settings', 'There is no shell command to run.', {
      description: 'Type one, or check the expression that provides it.',
    });
  }
  await note.ready();
  checkTransfer(core);
  return await core.runShell(async () => {
    note.written();
    const { written, done } = core.connection.issue({ type: 'local_shell', command }, 'local_shell_result');
    await written;
    const { output, failed, error } = readPayload(
      'local_shell_result',
      (await done) ?? { type: 'local_shell_result' },
    );
    return { output, failed, error };
  });
}
