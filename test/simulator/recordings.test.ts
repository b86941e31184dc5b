import { GIVEN, MEASURED, recorded, replaysAlike } from './support/scenarios';

const LIMIT = 30_000;

describe('recordings of the real Chord, replayed on the simulator', () => {
  it('are all 33', () => expect(recorded(GIVEN)).toHaveLength(33));

  it.concurrent.each(recorded(GIVEN))('%s', (name) => replaysAlike(GIVEN, name), LIMIT);
});

describe('further recordings of the real Chord', () => {
  it.concurrent.each(recorded(MEASURED))('%s', (name) => replaysAlike(MEASURED, name), LIMIT);
});
