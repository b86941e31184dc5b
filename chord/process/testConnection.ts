import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, type Clock } from '../clock';
import { ChordError } from '../errors';
import { ChordProcess } from './ChordProcess';
import { childEnvironment } from './environment';
import { thisProcess, type HostProcess, type LaunchSettings } from './LaunchSettings';

/** n8n tests a credential each time it is opened, and a person waits: so long at most. */
const longestConnectionTestMs = 30_000;

/** What the person who opened the credential reads. */
export interface ConnectionTest {
  ok: boolean;
  /** One sentence, credential values masked. */
  message: string;
}

/** Without its full stop, so that it can go on. */
const unfinished = (sentence: string): string => sentence.trim().replace(/\.$/, '');

function sentenceOf(error: unknown): string {
  if (!ChordError.is(error)) return `Chord could not be started: ${String(error)}`;
  const message = unfinished(error.message);
  return error.description === '' ? `${message}.` : `${message} (${unfinished(error.description)}).`;
}

/**
 * Starts Chord by these settings, waits for `ready` and stops it again; past registry, lock and pin. The state folder
 * is a throw-away one, so that no empty session is left among the project's; not with `runsElsewhere`, where this
 * machine's folders mean nothing.
 */
export async function testConnection(
  settings: LaunchSettings,
  clock: Clock = systemClock,
  host: HostProcess = thisProcess(),
): Promise<ConnectionTest> {
  let state: string | undefined;
  try {
    if (!settings.runsElsewhere) state = await mkdtemp(path.join(tmpdir(), 'chord-test-'));
    const chord = new ChordProcess({
      settings: { ...settings, startTimeoutMs: Math.min(settings.startTimeoutMs, longestConnectionTestMs) },
      directory: settings.projectDirectory,
      clock,
      extraEnvironment: state === undefined ? {} : throwAwayState(state, settings, host),
      host,
    });
    const from = clock.now();
    try {
      await chord.start({ envelope: () => undefined, problem: () => undefined, exit: () => undefined });
      const seconds = ((clock.now() - from) / 1000).toFixed(1);
      return { ok: true, message: `Chord started and was ready after ${seconds} s.` };
    } finally {
      await chord.stop();
    }
  } catch (error) {
    return { ok: false, message: sentenceOf(error) };
  } finally {
    if (state !== undefined) await rm(state, { recursive: true, force: true });
  }
}

/** `CHORD_SESSIONS_DIR`, where it is set, puts the sessions elsewhere than into the state folder. */
function throwAwayState(state: string, settings: LaunchSettings, host: HostProcess): Record<string, string> {
  const environment = childEnvironment(host, settings.environment);
  return {
    CHORD_STATE_DIR: state,
    ...('CHORD_SESSIONS_DIR' in environment ? { CHORD_SESSIONS_DIR: path.join(state, 'sessions') } : {}),
  };
}
