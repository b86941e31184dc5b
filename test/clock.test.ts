import { systemClock } from '../chord/clock';

const day = 24 * 60 * 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test.each([1, 24, 25, 60, 365])('a timer of %s days fires then, not sooner', (days) => {
  const call = jest.fn();
  systemClock.after(days * day, call);
  jest.advanceTimersByTime(days * day - 1);
  expect(call).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(call).toHaveBeenCalledTimes(1);
});

test('a long timer can be cancelled in each of its parts', () => {
  const call = jest.fn();
  const timer = systemClock.after(60 * day, call);
  jest.advanceTimersByTime(30 * day);
  timer.cancel();
  jest.advanceTimersByTime(90 * day);
  expect(call).not.toHaveBeenCalled();
});
