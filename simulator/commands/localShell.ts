import type { Runtime } from '../agent/runtime';
import { runShell } from '../tools/shell';
import type { Command } from '../wire/command';

/**
 * Longest a `local_shell` may take, in seconds, and how much of its output is shown.
 *
 * Not measured: both are from the sources; how a command ends that takes longer was never seen.
 */
const LIMITS = { seconds: 120, maxBytes: 512 * 1024 };

/** A `local_shell` command: runs it past all rules. No other command is read meanwhile. */
export async function localShell(runtime: Runtime, command: Command): Promise<void> {
  const line = command.command.trim() || command.content.trim();
  const answer = (output: string, error: string) =>
    runtime.out.reply('local_shell_result', {
      command: line,
      output,
      failed: error !== '',
      ...(error ? { error } : {}),
    });
  if (!line) {
    answer('', 'empty local shell command');
    return;
  }
  runtime.record({ kind: 'local_shell', command: line });
  const { output, code, signal, problem } = await runShell(line, {
    cwd: runtime.place.project,
    env: process.env,
    ...LIMITS,
  });
  answer(output, problem || (signal ? `signal: ${signal}` : code ? `exit status ${code}` : ''));
}
