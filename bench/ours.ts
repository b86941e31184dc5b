import {
  getRegistry,
  type ChordEvent,
  type ChordSession,
  type ConnectionSettings,
  type OpenRequest,
  type SendRequest,
} from '../chord';
import { sendRequest } from '../chord/session/operations/send/sendRequest';
import type { Program } from './programs';

/** Asks for a session as the nodes do. */
export function openRequest(
  program: Program,
  directory: string,
  sessionName: string,
  process: OpenRequest['process'],
): OpenRequest {
  return {
    settings: connection(program, directory),
    address: { projectDirectory: directory, sessionName, worktree: '' },
    start: { mode: 'continue', sessionId: '' },
    process,
    holder: 'the benchmark',
  };
}

/** Opens a session with a running process and holds it, as an active trigger does. */
export async function holdSession(
  program: Program,
  directory: string,
  sessionName: string,
  onEvent: (event: ChordEvent) => void,
): Promise<ChordSession> {
  const session = await getRegistry().open(openRequest(program, directory, sessionName, 'now'));
  await session.listen(
    {
      id: sessionName,
      filter: { events: 'all', mainAgentOnly: false, includeSuppressed: true, toolNames: [] },
      emitOpenRequests: true,
      production: true,
    },
    onEvent,
  );
  return session;
}

/** A message as Chord Send sends it with its defaults. */
export const message = (text: string, waitFor: SendRequest['waitFor']): SendRequest =>
  sendRequest(text, { waitFor });

const connection = (program: Program, directory: string): ConnectionSettings => ({
  credentialId: 'bench',
  command: program.command,
  commandArguments: program.args,
  runsElsewhere: false,
  commandQuotes: false,
  projectDirectory: directory,
  allowedDirectories: [],
  environment: [],
  startTimeoutMs: 60_000,
  allowLocalShell: false,
  idleTimeoutMs: 0,
  restartOnCrash: false,
  n8nAddress: '',
  auditArguments: false,
});
