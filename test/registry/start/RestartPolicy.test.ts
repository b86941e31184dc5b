import { errorCodes, type ErrorCode } from '../../../chord/errors';
import { isPointlessToRetry, RestartPolicy } from '../../../chord/registry/start/RestartPolicy';

const minute = 60_000;

test('waits 1, 2, 4 and 8 seconds, and gives up at the fifth failure in five minutes', () => {
  const policy = new RestartPolicy();
  const delays = [0, 1, 2, 3, 4].map((second) => policy.failed(second * 1000));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 'give_up']);
});

test('failures that are further apart go on, never waiting longer than a minute', () => {
  const policy = new RestartPolicy();
  const delays = Array.from({ length: 10 }, (_, n) => policy.failed(n * 2 * minute));
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1000));
});

test('60 healthy seconds make the former failures forgotten, 59 do not', () => {
  const policy = new RestartPolicy();
  policy.failed(0);
  policy.started(1000);
  expect(policy.failed(60_000)).toBe(2000);
  policy.started(62_000);
  expect(policy.failed(122_000)).toBe(1000);
});

test('is closed until the pause is over, also when it was given up, and open while a process runs', () => {
  const policy = new RestartPolicy();
  expect(policy.closedUntil(0)).toBeNull();
  for (let n = 0; n < 5; n += 1) policy.failed(n);
  expect(policy.closedUntil(16_003)).toBe(16_004);
  expect(policy.closedUntil(16_004)).toBeNull();
  expect(policy.failuresInARow(16_004)).toBe(5);
  policy.failed(16_004);
  policy.started(20_000);
  expect(policy.closedUntil(20_000)).toBeNull();
  expect(policy.failuresInARow(79_999)).toBe(6);
  expect(policy.failuresInARow(80_000)).toBe(0);
});

test('only what may be better the next time is tried again', () => {
  const again = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !isPointlessToRetry(code));
  expect(again).toEqual(expect.arrayContaining(['start_timeout', 'exited_before_ready', 'start_failed']));
  expect(again).not.toContain('binary_not_found');
  expect(again).not.toContain('invalid_configuration');
  expect(again).not.toContain('session_held');
});
