import { IdleClock } from '../../../chord/registry/start/IdleClock';
import { FakeClock } from '../../support/FakeClock';

const minute = 60_000;

function setUp(timeoutMs: number) {
  const clock = new FakeClock();
  const watched = { timeoutMs, mayStop: true, stops: 0 };
  const idle = new IdleClock(clock, {
    timeoutMs: () => watched.timeoutMs,
    mayStop: () => watched.mayStop,
    stop: () => {
      watched.stops += 1;
    },
  });
  idle.start();
  return { clock, watched, idle };
}

test('stops what has been unused for the whole time', async () => {
  const { clock, watched } = setUp(30 * minute);
  await clock.advance(30 * minute - 1);
  expect(watched.stops).toBe(0);
  await clock.advance(1);
  expect(watched.stops).toBe(1);
});

test('each use begins the time anew', async () => {
  const { clock, watched, idle } = setUp(30 * minute);
  await clock.advance(20 * minute);
  idle.used();
  await clock.advance(30 * minute - 1);
  expect(watched.stops).toBe(0);
  await clock.advance(1);
  expect(watched.stops).toBe(1);
});

test('work is spared, and the time runs from its end', async () => {
  const { clock, watched, idle } = setUp(10 * minute);
  watched.mayStop = false;
  await clock.advance(25 * minute);
  watched.mayStop = true;
  idle.used();
  await clock.advance(10 * minute - 1);
  expect(watched.stops).toBe(0);
  await clock.advance(1);
  expect(watched.stops).toBe(1);
});

test('never sooner than two minutes, since n8n closes a test trigger before the nodes after it run', async () => {
  const { clock, watched } = setUp(1000);
  await clock.advance(2 * minute - 1);
  expect(watched.stops).toBe(0);
  await clock.advance(1);
  expect(watched.stops).toBe(1);
});

test('0 is never, until the credential says otherwise', async () => {
  const { clock, watched } = setUp(0);
  await clock.advance(24 * 60 * minute);
  expect(watched.stops).toBe(0);
  watched.timeoutMs = 30 * minute;
  await clock.advance(2 * minute);
  expect(watched.stops).toBe(1);
});

test('no timer is left once the process is gone', () => {
  const { clock, idle } = setUp(30 * minute);
  idle.stop();
  expect(clock.pending).toBe(0);
});
