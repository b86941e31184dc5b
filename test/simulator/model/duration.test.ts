import { goDuration } from '../../../simulator/model/duration';

describe('durations as Go prints them', () => {
  it.each([
    [1, '1s'],
    [60, '1m0s'],
    [3661, '1h1m1s'],
  ])('%i seconds', (seconds, text) => expect(goDuration(seconds)).toBe(text));
});
