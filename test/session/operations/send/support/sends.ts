import { Harness } from '../../../support/Harness';

/** A session whose agent works for somebody else. */
export async function busy(profile: Parameters<typeof Harness.start>[0] = 'd1') {
  const harness = await Harness.start(profile);
  harness.chord.work();
  return { harness, chord: harness.chord };
}

/** A session with an open confirm. */
export async function asking(profile: Parameters<typeof Harness.start>[0] = 'd1') {
  const { harness, chord } = await busy(profile);
  chord.confirmRequest('r1');
  return { harness, chord };
}
