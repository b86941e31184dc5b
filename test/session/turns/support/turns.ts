import { settle } from '../../support/promises';
import { Harness } from '../../support/Harness';

/** A message that was written, and whose turn can begin. */
export async function sent(
  profile: Parameters<typeof Harness.start>[0],
  more: Parameters<Harness['send']>[1] = {},
) {
  const harness = await Harness.start(profile);
  const call = harness.send('Do it.', more);
  await settle();
  return { harness, call, chord: harness.chord };
}
