import { ChordError, type ConnectionSettings, type SessionAddress, type StartOptions } from '../../../chord';
import type { ParameterReader } from './ParameterReader';

/** Which session the user named, and how to start it where none runs. */
export interface NamedSession {
  address: Extract<SessionAddress, { sessionName: string }>;
  start: StartOptions;
}

/** Continue the session that was used last: what every call does that does not say otherwise. */
export const continueSession: StartOptions = { mode: 'continue', sessionId: '' };

/** Reads `projectDirectory`, `sessionName` and `sessionOptions`. */
export const readNamedSession = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): NamedSession => {
  const options = parameters.collection('sessionOptions');
  const projectDirectory = parameters.text('projectDirectory').trim() || connection.projectDirectory;
  if (!projectDirectory) {
    throw new ChordError('invalid_settings', 'No project directory is set.', {
      description: 'Set it in the credential or in this node.',
    });
  }
  const start: StartOptions = {
    mode: options.choice('startMode', ['continue', 'new', 'resume', 'latest']),
    sessionId: options.text('sessionId').trim(),
  };
  if (start.mode === 'resume' && !start.sessionId) {
    throw new ChordError('invalid_settings', 'The ID of the session to resume is missing.', {
      description: 'Enter it in "Session ID", or choose another start mode.',
    });
  }
  return {
    address: {
      projectDirectory,
      sessionName: parameters.text('sessionName', 'default').trim() || 'default',
      worktree: options.text('worktree').trim(),
    },
    start,
  };
};
