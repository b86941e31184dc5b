/**
 * A process of its own with a registry, as n8n is one: opens and closes the session of its first argument at a line on
 * stdin. With `listens` it handles SIGTERM by itself, as n8n does: a while later it exits.
 */
import { createInterface } from 'node:readline';
import { ChordError } from '../../../chord/errors';
import type { OpenRequest } from '../../../chord/registry/contract';
import { endWithHost } from '../../../chord/registry/endWithHost';
import { Registry } from '../../../chord/registry/Registry';
import type { ChordSession } from '../../../chord/session';

const { folder, request, listens } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  request: OpenRequest;
  listens: boolean;
};
const say = (line: string) => process.stdout.write(`${line}\n`);
const registry = new Registry({ folder });
endWithHost(registry);
if (listens) {
  process.once('SIGTERM', () => {
    say('handled by the host');
    void registry.shutdown().then(() => process.exit(0));
  });
}

let session: ChordSession | undefined;

async function obey(line: string): Promise<string> {
  switch (line) {
    case 'open':
      session = await registry.open(request);
      return 'open';
    case 'close':
      await session?.release();
      await registry.stop(session?.key ?? '', { force: true });
      return 'closed';
    default:
      // Leaves by itself, without any shutdown.
      process.exit(3);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  obey(line).then(say, (error: unknown) =>
    say(ChordError.is(error) ? `${error.code}: ${error.message}` : String(error)),
  );
});
say('here');
