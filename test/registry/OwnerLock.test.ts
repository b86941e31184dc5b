import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileNameOf } from '../../chord/registry/key';
import { OwnerLock } from '../../chord/registry/OwnerLock';
import { thisProcess } from '../../chord/registry/processIdentity';
import { failure } from '../session/support/promises';
import { bundledProgram } from '../support/bundledProgram';
import { temporaryFolder } from '../support/temporaryFolder';
import { HostProcess } from './support/HostProcess';

const key = 'c1:default::/srv/shop';

const setUp = () => {
  const folder = temporaryFolder();
  const path = join(folder, 'locks', `${fileNameOf(key)}.lock`);
  return { folder, path, files: () => readdirSync(dirname(path)) };
};

/** What a process leaves behind that was killed. */
function leaveBehind(path: string, changes: Record<string, unknown>): void {
  const lock = { ...thisProcess(), key, nonce: 'abc', taken_at: new Date().toISOString(), ...changes };
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
  const lock = new OwnerLock(folder, key);
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
  await new OwnerLock(folder, key).acquire();
  const error = await failure(new OwnerLock(folder, key).acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain(`owned by pid ${process.pid}`);
  expect(error.description).toMatch(/another session name/);
  expect(files()).toHaveLength(1);
});

test('taking and giving back in quick turns ends as the last call says', async () => {
  const { folder, files } = setUp();
  const lock = new OwnerLock(folder, key);
  const steps = [];
  for (let round = 0; round < 20; round += 1) steps.push(lock.acquire(), lock.release());
  await Promise.all([...steps, lock.acquire()]);
  expect(files()).toHaveLength(1);
});

test('the lock of a process that ended is replaced', async () => {
  const { folder, path, files } = setUp();
  leaveBehind(path, { pid: await deadPid() });
  await new OwnerLock(folder, key).acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(files()).toHaveLength(1);
});

test('so is one whose process number belongs to another process now', async () => {
  const { folder, path } = setUp();
  leaveBehind(path, { start: 'another boot/123' });
  await new OwnerLock(folder, key).acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ start: thisProcess().start });
});

test('where the start of a process is not known, a lock from before the machine came up is replaced', async () => {
  const { folder, path } = setUp();
  leaveBehind(path, { start: '', taken_at: '2001-01-01T00:00:00.000Z' });
  await new OwnerLock(folder, key).acquire();
  leaveBehind(path, { start: '' });
  expect((await failure(new OwnerLock(folder, key).acquire())).code).toBe('owned_elsewhere');
});

test('a replacement that was killed halfway is finished by the next one', async () => {
  const { folder, path, files } = setUp();
  leaveBehind(path, { pid: await deadPid() });
  leaveBehind(`${path}.abc`, { pid: await deadPid(), nonce: 'def' });
  await new OwnerLock(folder, key).acquire();
  expect(files()).toHaveLength(1);
});

test("another host's lock is never replaced; the error names its file", async () => {
  const { folder, path } = setUp();
  leaveBehind(path, { host: 'elsewhere', pid: 7 });
  const error = await failure(new OwnerLock(folder, key).acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain('pid 7 on host elsewhere');
  expect(error.description).toContain(path);
});

test('a file that is no lock is never replaced; the error names it', async () => {
  const { folder, path } = setUp();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'something else');
  const error = await failure(new OwnerLock(folder, key).acquire());
  expect(error.code).toBe('owned_elsewhere');
  expect(error.message).toContain(path);
});

test('a lock that was taken over by hand is not removed by its former owner', async () => {
  const { folder, path, files } = setUp();
  const lock = new OwnerLock(folder, key);
  await lock.acquire();
  leaveBehind(path, { nonce: 'of another' });
  await lock.release();
  lock.releaseNow();
  expect(files()).toHaveLength(1);
});

test('is given back synchronously while the process exits', async () => {
  const { folder, files } = setUp();
  const lock = new OwnerLock(folder, key);
  await lock.acquire();
  lock.releaseNow();
  expect(files()).toEqual([]);
});

test('B09: of six processes that find a dead owner at the same moment, one becomes the owner', async () => {
  const { folder, path, files } = setUp();
  const program = bundledProgram(join(__dirname, 'hosts', 'locks.ts'));
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
  const program = bundledProgram(join(__dirname, 'hosts', 'locks.ts'));
  const [owner, other] = await Promise.all([1, 2].map(() => HostProcess.start(program, [folder, key])));
  expect(await owner!.ask('acquire')).toBe('taken');
  expect(await other!.ask('acquire')).toBe('owned_elsewhere');
  await owner!.kill();
  expect(await other!.ask('acquire')).toBe('taken');
}, 60_000);
