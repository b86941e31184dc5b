import { join } from 'node:path';
import { homeFolder } from '../../process/homeFolder';
import type { ConnectionSettings } from '../contract';

/** What of a credential says where its Chord keeps things. */
export type StateSettings = Pick<ConnectionSettings, 'runsElsewhere' | 'environment'>;

/** The credential's variables go before inherited ones, as in the child itself. */
const variable = ({ environment }: StateSettings, inherited: NodeJS.ProcessEnv, name: string): string =>
  environment.findLast((added) => added.name === name)?.value ?? inherited[name] ?? '';

/**
 * Chord's state folder: `CHORD_STATE_DIR`, else `XDG_STATE_HOME/chord`, else `~/.local/state/chord` (measured). Empty
 * where Chord runs on another machine.
 */
export function stateDirectory(settings: StateSettings, inherited: NodeJS.ProcessEnv = process.env): string {
  if (settings.runsElsewhere) return '';
  const value = (name: string) => variable(settings, inherited, name);
  const xdgState = () => value('XDG_STATE_HOME') || join(value('HOME') || homeFolder(), '.local', 'state');
  return value('CHORD_STATE_DIR') || join(xdgState(), 'chord');
}

/**
 * Where the Chord of a credential keeps its sessions: `CHORD_SESSIONS_DIR`, else `sessions` in its state folder
 * (measured). Empty where Chord runs on another machine.
 */
export function sessionsDirectory(
  settings: StateSettings,
  inherited: NodeJS.ProcessEnv = process.env,
): string {
  if (settings.runsElsewhere) return '';
  const moved = variable(settings, inherited, 'CHORD_SESSIONS_DIR');
  return moved || join(stateDirectory(settings, inherited), 'sessions');
}
