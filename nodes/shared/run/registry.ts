import { readFileSync } from 'node:fs';
import { ChordError, getRegistry, type ChordRegistry } from '../../../chord';

/** The part of `process` that shows how n8n was started. */
export interface N8nProcess {
  /** `n8n worker` and `n8n webhook` exist in queue mode only. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** The mode that n8n's settings name; n8n takes each setting from a file too (read, 2.40.7 and 1.123.81). */
function settingOf({ env }: N8nProcess): string {
  const file = env.EXECUTIONS_MODE_FILE;
  if (file === undefined) return env.EXECUTIONS_MODE ?? '';
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Whether this is one of n8n's processes that run workflows or take calls for a main process. */
const isHelper = ({ argv }: N8nProcess): boolean => ['worker', 'webhook'].includes(argv[2] ?? '');

/** Whether n8n spreads its work over several processes, of which each would have a registry of its own. */
const isQueueMode = (host: N8nProcess): boolean => isHelper(host) || settingOf(host) === 'queue';

/** Whether this process may end what a former n8n left waiting: the one that also takes the calls that end it. */
export const isMainProcess = (host: N8nProcess = process): boolean => !isHelper(host);

/**
 * Refuses to work where n8n's processes would not share a registry: in containers each would start a Chord of its own in
 * the same project, and none would hear of the others' requests.
 *
 * @throws ChordError `queue_mode`
 */
export function checkMode(host: N8nProcess = process): void {
  if (!isQueueMode(host)) return;
  throw new ChordError(
    'queue_mode',
    'n8n runs in queue mode. Each of its processes would start its own Chord in the same project, and a request from one would never reach a trigger or an answer in another. Nothing was started.',
    {
      description:
        'Run n8n in regular mode: one process without workers, with EXECUTIONS_MODE unset or set to "regular". You can still test a Chord Trigger with a sample.',
    },
  );
}

/**
 * The registry through which every node reaches Chord.
 *
 * @throws ChordError `queue_mode`, as {@link checkMode}
 */
export function registry(host: N8nProcess = process): ChordRegistry {
  checkMode(host);
  return getRegistry();
}
