import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileNameOf } from '../../../chord/registry/address/key';
import { OwnerLock } from '../../../chord/registry/owners/OwnerLock';
import { Owners } from '../../../chord/registry/owners/Owners';
import { thisProcess } from '../../../chord/registry/owners/processIdentity';
import { failure } from '../../session/support/promises';
import { bundledProgram } from '../../support/bundledProgram';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { HostProcess } from '../support/HostProcess';

const key = 'c1:default::/srv/shop';

const setUp = () => {
  const folder = temporaryFolder();
  const path = join(folder, 'locks', `${fileNameOf(key)}.lock`);
  return { folder, path, files: () => readdirSync(dirname(path)) };
};

/** The lock as an n8n of its own has it. */
const lockOf = (folder: string, clock = new FakeClock()) => new OwnerLock(new Owners(folder, clock), key);

/** What a process leaves behind that was killed. */
function leaveBehind(path: string, changes: Record<string, unknown>): void {
  const lock = { ...thisProcess('abc'), key, nonce: 'abc', taken_at: new Date().toISOString(), ...changes };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(lock));
}

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid!;
}

test('names its owner, is readable by this user only, and goes with its release', async () => {
  const { folder, path, files } = setUp();
  const lock = lockOf(folder);
  await lock.acquire();
  await lock.acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname(), key });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await lock.release();
  await lock.release();
  expect(files()).toEqual([]);
});

test('a second owner is told who the first one is, at once, also within one process', async () => {
  const { folder, files } = setUp();
  await lockOf(folder).acquire();
  const error = await failure(lockOf(folder).acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain(`owned by pid ${process.pid}`);
  expect(error.description).toMatch(/another session name/);
  expect(files()).toHaveLength(1);
});

test('taking and giving back in quick turns ends as the last call says', async () => {
  const { folder, files } = setUp();
  const lock = lockOf(folder);
  const steps = [];
  for (let round = 0; round < 20; round += 1) steps.push(lock.acquire(), lock.release());
  await Promise.all([...steps, lock.acquire()]);
  expect(files()).toHaveLength(1);
});

test('the lock of a process that ended is replaced', async () => {
  const { folder, path, files } = setUp();
  leaveBehind(path, { pid: await deadPid() });
  await lockOf(folder).acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(files()).toHaveLength(1);
});

test('so is one whose process number belongs to another process now', async () => {
  const { folder, path } = setUp();
  leaveBehind(path, { start: '123' });
  await lockOf(folder).acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ start: thisProcess('').start });
});

test('a replacement that was killed halfway is finished by the next one', async () => {
  const { folder, path, files } = setUp();
  leaveBehind(path, { pid: await deadPid() });
  leaveBehind(`${path}.abc`, { pid: await deadPid(), nonce: 'def' });
  await lockOf(folder).acquire();
  expect(files()).toHaveLength(1);
});

/** Moves a clock on in the steps of the watch until something has settled. */
async function settled<Result>(clock: FakeClock, pending: Promise<Result>): Promise<Result> {
  let over = false;
  const done = () => {
    over = true;
  };
  pending.then(done, done);
  await until(async () => {
    await clock.advance(5_000);
    return over;
  });
  return pending;
}

test.each([
  ['another host', { host: 'elsewhere', pid: 7 }],
  ['a container with the same host name and process numbers of its own', { numbers: 'boot/pid:[1]', pid: 7 }],
  ['a version without heartbeats', { id: '', numbers: '' }],
])('a lock of %s that shows no life is replaced once that was watched for 60 s', async (_what, owner) => {
  const { folder, path, files } = setUp();
  leaveBehind(path, owner);
  const clock = new FakeClock();
  const began = clock.now();
  const lock = lockOf(folder, clock);
  const error = await failure(lock.acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain('it is not clear yet whether that n8n is still running');
  await settled(clock, lock.acquire(true));
  expect(clock.now() - began).toBeGreaterThanOrEqual(60_000);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(files()).toHaveLength(1);
});

test('of another host that lives it is told as soon as its heart was seen to beat', async () => {
  const { folder, files } = setUp();
  const clock = new FakeClock();
  const me = { ...thisProcess('aa'), host: 'elsewhere', pid: 7 };
  await new OwnerLock(new Owners(folder, clock, me), key).acquire();
  const began = clock.now();
  const other = lockOf(folder, clock);
  const error = await failure(settled(clock, other.acquire(true)));
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain('pid 7 on host elsewhere');
  expect(error.description).toMatch(/another session name/);
  expect(clock.now() - began).toBeLessThan(60_000);
  expect(files()).toHaveLength(1);
  // From then on at once.
  expect((await failure(other.acquire(true))).code).toBe('owned_elsewhere');
});

test('who waits for the verdict is let go when n8n ends', async () => {
  const { folder, path } = setUp();
  leaveBehind(path, { host: 'elsewhere' });
  const owners = new Owners(folder, new FakeClock());
  const waiting = failure(new OwnerLock(owners, key).acquire(true));
  owners.leave();
  expect((await waiting).code).toBe('interrupted');
});

describe('an owner that finds itself replaced', () => {
  async function replaced() {
    const { folder, path, files } = setUp();
    const clock = new FakeClock();
    const lost = jest.fn();
    const lock = new OwnerLock(new Owners(folder, clock), key, lost);
    await lock.acquire();
    const takenOver = () => leaveBehind(path, { host: 'elsewhere', pid: 7, nonce: 'of another' });
    return { lock, lost, path, clock, files, takenOver };
  }

  test('knows it before it writes anything more, once', async () => {
    const { lock, lost, takenOver, files } = await replaced();
    expect(lock.isHeld()).toBe(true);
    takenOver();
    expect(lock.isHeld()).toBe(false);
    expect(lock.isHeld()).toBe(false);
    expect(lost.mock.calls).toEqual([
      [expect.stringContaining('pid 7 on host elsewhere took over the session')],
    ]);
    await lock.release();
    expect(files()).toHaveLength(1);
  });

  test('knows it at its next heartbeat, also when it writes nothing', async () => {
    const { lost, clock, takenOver } = await replaced();
    takenOver();
    await clock.advance(10_000);
    await until(() => lost.mock.calls.length === 1);
  });

  test('a file that was removed by hand is put back: nobody has replaced it', async () => {
    const { lock, lost, path } = await replaced();
    rmSync(path);
    expect(lock.isHeld()).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    expect(lost).not.toHaveBeenCalled();
  });
});

test('a file that is no lock is never replaced; the error names it', async () => {
  const { folder, path } = setUp();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'something else');
  const error = await failure(lockOf(folder).acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain(path);
});

test('a lock that was taken over by hand is not removed by its former owner', async () => {
  const { folder, path, files } = setUp();
  const lock = lockOf(folder);
  await lock.acquire();
  leaveBehind(path, { nonce: 'of another' });
  await lock.release();
  lock.releaseNow();
  expect(files()).toHaveLength(1);
});

test('is given back synchronously while the process exits', async () => {
  const { folder, files } = setUp();
  const lock = lockOf(folder);
  await lock.acquire();
  lock.releaseNow();
  expect(files()).toEqual([]);
});

test('B09: of six processes that find a dead owner at the same moment, one becomes the owner', async () => {
  const { folder, path, files } = setUp();
  const program = bundledProgram(join(__dirname, '..', 'hosts', 'locks.ts'));
  const hosts = await Promise.all(Array.from({ length: 6 }, () => HostProcess.start(program, [folder, key])));
  for (let round = 0; round < 10; round += 1) {
    leaveBehind(path, { pid: await deadPid(), nonce: `round${round}` });
    const answers = await Promise.all(hosts.map((host) => host.ask('acquire')));
    expect(answers.toSorted()).toEqual([...Array<string>(5).fill('owned_elsewhere'), 'taken']);
    expect(files()).toHaveLength(1);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      pid: hosts[answers.indexOf('taken')]!.pid,
    });
    await Promise.all(hosts.map((host) => host.ask('release')));
  }
}, 60_000);

test('B09: an owner that was killed is replaced by the process that waited', async () => {
  const { folder } = setUp();
  const program = bundledProgram(join(__dirname, '..', 'hosts', 'locks.ts'));
  const [owner, other] = await Promise.all([1, 2].map(() => HostProcess.start(program, [folder, key])));
  expect(await owner!.ask('acquire')).toBe('taken');
  expect(await other!.ask('acquire')).toBe('owned_elsewhere');
  await owner!.kill();
  expect(await other!.ask('acquire')).toBe('taken');
}, 60_000);
