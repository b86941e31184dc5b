import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBeat } from '../../../chord/registry/owners/Heartbeat';
import { Owners } from '../../../chord/registry/owners/Owners';
import { thisProcess, type ProcessIdentity } from '../../../chord/registry/owners/processIdentity';
import { failure } from '../../session/support/promises';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

/** An n8n in another container: nothing but its heartbeat tells of it. */
const elsewhere = (id: string): ProcessIdentity => ({
  ...thisProcess(id),
  host: 'elsewhere',
  numbers: 'another/pid:[1]',
});

function setUp() {
  const folder = temporaryFolder();
  const beats = () => readdirSync(join(folder, 'heartbeats'));
  const owners = (clock = new FakeClock(), me = thisProcess('aa')) => new Owners(folder, clock, me);
  return { folder, beats, owners };
}

/** Lets so many looks at other processes happen, one after the other. */
async function looks(clock: FakeClock, owners: Owners, other: ProcessIdentity, count: number): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    await clock.advance(5_000);
    await owners.standing(other);
  }
}

describe('the own heartbeat', () => {
  const countOf = async (folder: string) => (await readBeat(folder, 'aa'))?.count;

  test('is there once it has begun, for this user only, and counts each 10 s in a file of one size', async () => {
    const { folder, owners } = setUp();
    const clock = new FakeClock();
    await owners(clock).begin();
    const file = join(folder, 'heartbeats', 'aa.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size).toBe(512);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      id: 'aa',
      pid: process.pid,
      count: 1,
      at: '2030-01-01T00:00:00.000Z',
      ended: false,
    });
    await clock.advance(10_000);
    await until(async () => (await countOf(folder)) === 2);
    expect(statSync(file).size).toBe(512);
  });

  test('is made anew where somebody removed it', async () => {
    const { folder, owners } = setUp();
    const clock = new FakeClock();
    await owners(clock).begin();
    rmSync(join(folder, 'heartbeats', 'aa.json'));
    await until(async () => {
      await clock.advance(10_000);
      return countOf(folder);
    });
  });

  test('goes with its process, unless that leaves something to be taken over', async () => {
    const { folder, beats, owners } = setUp();
    const one = owners();
    await one.begin();
    one.end(false);
    expect(beats()).toEqual([]);
    const other = owners();
    await other.begin();
    other.end(true);
    expect((await readBeat(folder, 'aa'))?.ended).toBe(true);
  });

  test('ends in the moment of a beat as well', async () => {
    const { beats, owners } = setUp();
    const clock = new FakeClock();
    const one = owners(clock);
    await one.begin();
    const beating = clock.advance(10_000);
    one.end(false);
    await beating;
    await until(() => beats().length === 0);
    expect(clock.pending).toBe(0);
  });
});

describe('another n8n process', () => {
  test('that was killed on this host is gone at once', async () => {
    const { owners } = setUp();
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    expect(await owners().standing({ ...thisProcess('bb'), pid: child.pid! })).toBe('gone');
  });

  test('whose number another process has now is gone at once', async () => {
    const { owners } = setUp();
    expect(await owners().standing({ ...thisProcess('bb'), start: '1' })).toBe('gone');
  });

  test('that runs on this host is alive at once', async () => {
    const { owners } = setUp();
    expect(await owners().standing(thisProcess('bb'))).toBe('alive');
  });

  test.each([
    ['another host name', { host: 'elsewhere' }],
    ['this host name and process numbers of another system', { numbers: 'another/pid:[1]' }],
    ['this host name and a system that does not tell', { numbers: '' }],
  ])('with %s is watched, whatever has its number here', async (_what, place) => {
    const { owners } = setUp();
    const free = 4_194_305;
    expect(await owners().standing({ ...thisProcess('bb'), ...place })).toBe('watched');
    expect(await owners().standing({ ...thisProcess('cc'), ...place, pid: free })).toBe('watched');
  });

  test('that left in good order is gone at once', async () => {
    const { owners } = setUp();
    const other = owners(new FakeClock(), elsewhere('bb'));
    await other.begin();
    other.end(true);
    expect(await owners().standing(elsewhere('bb'))).toBe('gone');
  });

  test('whose heartbeat does not move is gone after 60 s, not before', async () => {
    const { owners } = setUp();
    await owners(new FakeClock(), elsewhere('bb')).begin();
    const clock = new FakeClock();
    const one = owners(clock);
    const gone: string[] = [];
    one.whenGone(({ id }) => gone.push(id));
    expect(await one.standing(elsewhere('bb'))).toBe('watched');
    await looks(clock, one, elsewhere('bb'), 11);
    expect(await one.standing(elsewhere('bb'))).toBe('watched');
    await looks(clock, one, elsewhere('bb'), 1);
    expect(await one.standing(elsewhere('bb'))).toBe('gone');
    expect(await one.verdict(elsewhere('bb'))).toBe('gone');
    expect(gone).toEqual(['bb']);
    expect(clock.pending).toBe(0);
  });

  test('is not gone because this one slept for a day, and the clock with it', async () => {
    const { owners } = setUp();
    await owners(new FakeClock(), elsewhere('bb')).begin();
    const clock = new FakeClock();
    const one = owners(clock);
    await one.standing(elsewhere('bb'));
    for (let day = 0; day < 3; day += 1) await clock.sleep(86_400_000);
    expect(await one.standing(elsewhere('bb'))).toBe('watched');
  });

  test('whose clock is wrong by years is alive when its count grows', async () => {
    const { owners } = setUp();
    const wrong = new FakeClock(0);
    await owners(wrong, elsewhere('bb')).begin();
    const clock = new FakeClock();
    const one = owners(clock);
    const verdict = one.verdict(elsewhere('bb'));
    await until(async () => {
      await wrong.advance(10_000);
      await looks(clock, one, elsewhere('bb'), 1);
      return (await one.standing(elsewhere('bb'))) === 'alive';
    });
    expect(await verdict).toBe('alive');
  });

  test('that ends later, with nobody asking for it, is found to be gone, once', async () => {
    const { owners } = setUp();
    const beating = new FakeClock();
    await owners(beating, elsewhere('bb')).begin();
    const clock = new FakeClock();
    const one = owners(clock);
    const gone: string[] = [];
    one.whenGone(({ id }) => gone.push(id));
    await one.begin();
    await until(async () => {
      await beating.advance(10_000);
      await clock.advance(5_000);
      return (await one.standing(elsewhere('bb'))) === 'alive';
    });
    await until(async () => {
      await clock.advance(5_000);
      return gone.length > 0;
    });
    expect(await one.standing(elsewhere('bb'))).toBe('gone');
    expect(gone).toEqual(['bb']);
  });

  test('that comes back after it was taken for gone is alive, and can be gone again', async () => {
    const { owners } = setUp();
    const paused = new FakeClock();
    await owners(paused, elsewhere('bb')).begin();
    const clock = new FakeClock();
    const one = owners(clock);
    const gone: string[] = [];
    one.whenGone(({ id }) => gone.push(id));
    await one.standing(elsewhere('bb'));
    await looks(clock, one, elsewhere('bb'), 12);
    expect(await one.standing(elsewhere('bb'))).toBe('gone');
    await paused.sleep(3_600_000);
    await until(async () => (await one.standing(elsewhere('bb'))) === 'alive');
    await looks(clock, one, elsewhere('bb'), 12);
    expect(await one.standing(elsewhere('bb'))).toBe('gone');
    expect(gone).toEqual(['bb', 'bb']);
  });
});

test('who begins to wait in the moment of the end is let go as well', async () => {
  const { owners } = setUp();
  const one = owners();
  const verdict = failure(one.verdict(elsewhere('bb')));
  one.leave();
  expect((await verdict).code).toBe('interrupted');
});

test('who waits for a verdict is let go when n8n ends, and nobody is looked at any more', async () => {
  const { owners } = setUp();
  const clock = new FakeClock();
  const one = owners(clock);
  const verdict = failure(one.verdict(elsewhere('bb')));
  await until(() => clock.pending === 1);
  one.end(false);
  expect((await verdict).code).toBe('interrupted');
  expect(clock.pending).toBe(0);
});
