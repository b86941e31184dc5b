import type { ProfileName } from '../../../../../simulator/wire/profile';
import { Harness } from '../../../support/Harness';

/** A session that asks for approval of a call, as `r1`. */
export async function asking(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.confirmRequest('r1', more);
  return { harness, chord: harness.chord };
}

/** A session that asks a question, as `q1`. */
export async function questioning(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.questionRequest('q1', more);
  return { harness, chord: harness.chord };
}

/** A session that offers a plan, as `h1`. */
export async function planning(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.handoffRequest('h1', more);
  harness.chord.idle();
  return { harness, chord: harness.chord };
}
