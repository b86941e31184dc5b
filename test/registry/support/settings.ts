import type { ConnectionSettings, OpenRequest } from '../../../chord/registry/contract';

/** A credential as nodes hand it over, with the defaults that design and nodes have. */
export const settingsFor = (
  projectDirectory: string,
  more: Partial<ConnectionSettings> = {},
): ConnectionSettings => ({
  credentialId: 'c1',
  command: 'chord',
  commandArguments: [],
  runsElsewhere: false,
  commandQuotes: false,
  projectDirectory,
  allowedDirectories: [],
  environment: [],
  allowLocalShell: false,
  startTimeoutMs: 60_000,
  idleTimeoutMs: 30 * 60_000,
  restartOnCrash: true,
  n8nAddress: '',
  auditArguments: false,
  ...more,
});

/** An open as a Send has it. */
export const openRequest = (settings: ConnectionSettings, more: Partial<OpenRequest> = {}): OpenRequest => ({
  settings,
  address: { projectDirectory: '', sessionName: 'default', worktree: '' },
  start: { mode: 'continue', sessionId: '' },
  process: 'now',
  holder: 'a test',
  ...more,
});
