import { ChordError } from '../errors';
import type { ChordRegistry } from './contract';
import { endWithHost } from './endWithHost';
import { defaultFolder } from './files/folders';
import { heartbeatIds } from './owners/Heartbeat';
import { Registry } from './Registry';
import { readWaits } from './waits/waitFile';

/**
 * Counts the changes of {@link ChordRegistry} and what it takes and returns that an older or newer copy of this
 * package could not live with.
 */
export const registryVersion = 2;

/** What lies on `globalThis`; its shape is the same in every version of this package. */
interface Slot {
  version: number;
  /** The file that the first copy was loaded from, so that a user can find it. */
  loadedFrom: string;
  registry: ChordRegistry;
}

const slotName = Symbol.for('n8n-nodes-chord.registry');

interface Globals {
  [slotName]?: Slot;
}

/**
 * The registry of this operating-system process. All copies of this package that are loaded share the first one's:
 * n8n loads a package anew after an update, and two registries would start two Chords on one session.
 *
 * @throws ChordError `incompatible_registry` when a copy of another version was there first
 */
export function getRegistry(
  make: () => ChordRegistry = makeRegistry,
  globals: Globals = globalThis as Globals,
): ChordRegistry {
  globals[slotName] ??= { version: registryVersion, loadedFrom: __filename, registry: make() };
  const slot = globals[slotName];
  if (slot.version === registryVersion) return slot.registry;
  throw new ChordError(
    'incompatible_registry',
    `Another version of n8n-nodes-chord is already running in this n8n (registry version ${slot.version}, this one needs ${registryVersion}). It was loaded from ${slot.loadedFrom}.`,
    {
      description: 'Restart n8n. If the error remains, two copies of the package are installed: remove one.',
    },
  );
}

/** Set by {@link recoverWaits}. */
let warn: (problem: string) => void = () => undefined;

function makeRegistry(): ChordRegistry {
  const registry = new Registry({ warn: (problem) => warn(problem) });
  endWithHost(registry);
  registry.recover();
  return registry;
}

/**
 * Ends the waits that a former n8n left. To be called when n8n loads the nodes, which it does at every start: an
 * execution that waits must not depend on somebody using a Chord node again. One that has a heartbeat and no waits yet
 * may leave some when it ends, as the old container does that runs for a while beside the new one.
 *
 * @param warnWith where it is said, from now on, that an execution does not go on
 */
export function recoverWaits(warnWith: (problem: string) => void): void {
  warn = warnWith;
  let folder: string;
  try {
    folder = defaultFolder();
  } catch (error) {
    // n8n must load the nodes all the same; using one gives the error.
    warn((error as ChordError).message);
    return;
  }
  if (readWaits(folder).length > 0 || heartbeatIds(folder).length > 0) getRegistry();
}
