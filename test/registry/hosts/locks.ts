/**
 * A process of its own that takes a lock when told to by a line on stdin, says how that went, and gives it back at the
 * next line.
 */
import { createInterface } from 'node:readline';
import { ChordError } from '../../../chord/errors';
import { OwnerLock } from '../../../chord/registry/owners/OwnerLock';
import { Owners } from '../../../chord/registry/owners/Owners';
import { systemClock } from '../../../chord/clock';

const [, , folder = '', key = ''] = process.argv;
const lock = new OwnerLock(new Owners(folder, systemClock), key);
const say = (line: string) => process.stdout.write(`${line}\n`);

async function obey(line: string): Promise<void> {
  if (line === 'release') {
    await lock.release();
    say('released');
    return;
  }
  try {
    await lock.acquire();
    say('taken');
  } catch (error) {
    say(ChordError.is(error) ? error.code : String(error));
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void obey(line));
say('here');
