import { watch } from 'node:fs';
import path from 'node:path';

import type { N8nServer } from '../rig/N8nServer';
import { gulp } from '../rig/pack';
import { describeProblem } from '../rig/Problem';
import type { Progress } from '../rig/progress';
import { projectRoot } from '../rig/projectRoot';

/** What the package is built from. */
const SOURCES = ['chord', 'nodes', 'credentials', 'simulator'];

/** Editors write a file in several steps; this long of quiet, in milliseconds, ends one change. */
const QUIET_MS = 300;

/**
 * Builds, installs and starts n8n again after each change of the sources; changes during that are taken together
 * afterwards. Gives the way to end it.
 */
export function watchSources(
  server: N8nServer,
  pack: () => Promise<string>,
  progress: Progress,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** Bumped by each change; what was built last says whether there is more to do. */
  let changes = 0;

  const renew = async () => {
    for (let built = -1; built !== changes; ) {
      built = changes;
      try {
        await progress.during('Build the change and restart n8n', async () => {
          await gulp('fast');
          await server.restartWith(await pack());
        });
      } catch (error) {
        progress.note(describeProblem(error));
      }
    }
    running = undefined;
  };

  const watchers = SOURCES.map((folder) =>
    watch(path.join(projectRoot, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        changes += 1;
        running ??= renew();
      }, QUIET_MS);
    }),
  );
  progress.note(`Watching ${SOURCES.join(', ')}: n8n restarts after each change.`);

  return async () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    await running;
  };
}
