import { requestItem } from '../../../../nodes/shared/items/requestItem';
import { confirmRequest } from '../../support/FakeSession';

const now = Date.parse('2030-01-01T10:00:00.000Z');

test.each([
  ['2030-01-01T10:10:00.000Z', 10],
  ['2030-01-01T10:01:30.000Z', 1.5],
  ['2030-01-01T10:00:00.500Z', 0],
  ['2030-01-01T10:00:29.999Z', 0.49],
  ['2030-01-01T09:00:00.000Z', 0],
])('until %s there are %d minutes left', (expiresAt, minutes) => {
  expect(requestItem({ ...confirmRequest('r1'), expires_at: expiresAt }, now).minutes_left).toBe(minutes);
});

test('a request without limit has none', () => {
  expect(requestItem(confirmRequest('r1'), now).minutes_left).toBeNull();
});
