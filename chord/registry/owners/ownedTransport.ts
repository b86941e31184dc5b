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
        `Nothing was sent to Chord: another n8n has taken over session ${key}.`,
        {
          sessionKey: key,
          description:
            'This n8n was paused for a while, for example because its computer was asleep. Use the session in the other n8n, or stop that n8n and try again.',
        },
      ),
    );
  },
  stop: () => transport.stop(),
  killNow: () => transport.killNow(),
});
