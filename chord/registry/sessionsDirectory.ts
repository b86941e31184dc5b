import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionSettings } from './contract';

/**
 * Where the Chord of a credential keeps its sessions: `CHORD_SESSIONS_DIR`, else `sessions` in its state folder, which
 * is `CHORD_STATE_DIR`, else `XDG_STATE_HOME/chord`, else `~/.local/state/chord` (measured). The credential's
 * variables go before inherited ones, as in the child itself. Empty where Chord runs on another machine.
 */
export function sessionsDirectory(
  settings: Pick<ConnectionSettings, 'runsElsewhere' | 'environment'>,
  inherited: NodeJS.ProcessEnv = process.env,
): string {
  if (settings.runsElsewhere) return '';
  const variable = (name: string) =>
    settings.environment.findLast((added) => added.name === name)?.value ?? inherited[name] ?? '';
  const xdgState = variable('XDG_STATE_HOME') || join(variable('HOME') || homedir(), '.local', 'state');
  const state = variable('CHORD_STATE_DIR') || join(xdgState, 'chord');
  return variable('CHORD_SESSIONS_DIR') || join(state, 'sessions');
}
