/**
 * A host process of its own: starts Chord by `{ settings, directory }` in its first argument, prints one JSON line
 * with the child's id or the error, and lives until it is killed.
 */
import { ChordProcess } from '../../../chord/process/ChordProcess';
import type { LaunchSettings } from '../../../chord/process/LaunchSettings';

const { settings, directory } = JSON.parse(process.argv[2] ?? '') as {
  settings: LaunchSettings;
  directory: string;
};
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const chord = new ChordProcess({ settings, directory });
chord.start({ envelope: () => undefined, problem: () => undefined, exit: () => undefined }).then(
  () => {
    say({ pid: chord.pid });
    setInterval(() => undefined, 1000);
  },
  (error: unknown) => {
    const { code, message, description } = error as { code: string; message: string; description: string };
    say({ code, message, description });
  },
);
