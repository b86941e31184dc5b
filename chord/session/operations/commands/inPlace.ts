import type { CallControl } from '../../core/CallControl';
import type { Rules } from '../../input/SendQueue';
import type { SessionCore } from '../../core/SessionCore';
import { waitOverError } from '../call/wait';
import type { LimitKind } from '../../core/CallLimit';
import type { CallNote } from '../call/CallNote';
import { carryOut } from './carryOut';

/**
 * Works in a place of its own in the queue of messages: once it has come, until the work is over.
 *
 * @param work does its slash commands by the function that it gets
 * @returns what the work gives, or why the place was not waited for
 */
export async function inPlace<Result>(
  core: SessionCore,
  rules: Rules,
  { signal }: CallControl,
  note: CallNote,
  work: (carryOut: (command: string) => Promise<string>) => Promise<Result>,
): Promise<Result | { skipped: string }> {
  let written = false;
  const error = (kind: LimitKind) =>
    waitOverError(kind, { what: 'The command', written, sessionKey: core.identity.key });
  return await core.limited({ timeoutMs: 0, signal, error }, async (limit) => {
    await note.ready();
    const entry = core.queue.enter(rules);
    try {
      const verdict = await limit.race(entry.verdict);
      if (verdict.kind === 'skip') return { skipped: verdict.reason };
      const done = work((command) => {
        written = true;
        note.written();
        return carryOut(core, command);
      });
      return await limit.race(done);
    } finally {
      entry.leave();
    }
  });
}
