import { runShell } from './shell';
import { ToolFailure, type FileTools } from './FileTools';
import type { Tool } from './call';
import { resolve } from 'node:path';

/**
 * Seconds that a shell command may run unless it says otherwise, and at most.
 *
 * Not measured: the limits of time and output are from the sources; no recorded command came to them.
 */
const SHELL_SECONDS = { usual: 120, most: 600 };
const SHELL_BYTES = 256 * 1024;

async function shell(project: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string> {
  const seconds = Math.min(Number(args.timeout ?? SHELL_SECONDS.usual), SHELL_SECONDS.most);
  const result = await runShell(String(args.command ?? ''), {
    cwd: resolve(project, String(args.workdir ?? '.')),
    env: process.env,
    seconds,
    maxBytes: SHELL_BYTES,
    signal,
  });
  if (signal.aborted) throw new ToolFailure('cancelled');
  const problem =
    result.problem ||
    (result.signal ? `signal: ${result.signal}` : result.code ? `exit code ${result.code}` : '');
  if (problem) throw new ToolFailure(`${problem}${result.output ? `\n${result.output}` : ''}`);
  return result.output;
}

/** The tools that main agent and SubAgents share. */
export function commonTools(project: string, files: FileTools): Record<string, Tool> {
  return {
    shell: (args, _call, signal) => shell(project, args, signal),
    write: (args) => files.write(args),
    edit: (args) => files.edit(args),
    read: (args) => files.read(args),
    delete: (args) => files.delete(args),
    glob: (args) => files.glob(args),
    grep: (args) => files.grep(args),
    web_fetch: () => {
      throw new ToolFailure('the simulator fetches nothing');
    },
  };
}
