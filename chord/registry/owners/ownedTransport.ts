import { ChordError } from '../../errors';
import type { Transport } from '../../process';
import type { OwnerLock } from './OwnerLock';

/**
 * A process whose session this n8n must still own when something is written to it: another n8n that took it over works
 * in it with a process of its own.
 */
export const ownedTransport = (transport: Transport, lock: OwnerLock, key: string): Transport => ({
  get pid() {
    return transport.pid;
  },
  start: (events) => transport.start(events),
  write: (command) => {
    if (lock.isHeld()) return transport.write(command);
    return Promise.reject(
      new ChordError(
        'owned_elsewhere',
        `Nothing was written to Chord: another n8n has taken the session ${key} over.`,
        {
          sessionKey: key,
          description:
            'This n8n did not run for a while, as on a paused machine. Use the session where it runs now, or stop that n8n and try again.',
        },
      ),
    );
  },
  stop: () => transport.stop(),
  killNow: () => transport.killNow(),
});
