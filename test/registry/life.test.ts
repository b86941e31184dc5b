import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '../session/support/promises';
import { until } from '../support/until';
import { message, Rig, status, published } from './support/Rig';
import { settingsFor } from './support/settings';

const minute = 60_000;

const locks = (rig: Rig) => {
  const folder = join(rig.folder, 'locks');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.lock')) : [];
};

describe('idle', () => {
  test('without leases the process is stopped after the idle time, and the lock is given back', async () => {
    const rig = new Rig();
    const session = await rig.open();
    const watcher = await rig.open({ process: 'never' });
    await session.release();
    await watcher.release();
    await rig.clock.advance(30 * minute - 1);
    expect(rig.starts[0]!.stopped).toBe(false);
    expect(locks(rig)).toHaveLength(1);
    await rig.clock.advance(1);
    await until(() => locks(rig).length === 0);
    expect(rig.starts[0]!.stopped).toBe(true);
    expect(await rig.registry.list('c1')).toMatchObject([{ running: false, stopped_because: 'idle' }]);
  });

  test('a lease holds it', async () => {
    const rig = new Rig();
    await rig.open();
    await rig.clock.advance(24 * 60 * minute);
    expect(rig.starts[0]!.stopped).toBe(false);
  });

  test.each([
    ['work', (rig: Rig) => rig.chord.work()],
    [
      'a background job',
      (rig: Rig) => {
        rig.chord.runningJobs = 1;
        rig.chord.turn('started a job');
      },
    ],
    ['an open request', (rig: Rig) => rig.chord.confirmRequest('r1')],
  ] as const)('%s is spared', async (_, begin) => {
    const rig = new Rig();
    const session = await rig.open();
    begin(rig);
    await session.release();
    await rig.clock.advance(24 * 60 * minute);
    expect(rig.starts[0]!.stopped).toBe(false);

    rig.chord.runningJobs = 0;
    rig.chord.idle();
    await rig.clock.advance(30 * minute);
    expect(rig.starts[0]!.stopped).toBe(true);
  });

  test('0 in the credential is never', async () => {
    const rig = new Rig();
    const session = await rig.open({ settings: settingsFor(rig.project, { idleTimeoutMs: 0 }) });
    await session.release();
    await rig.clock.advance(24 * 60 * minute);
    expect(rig.starts[0]!.stopped).toBe(false);
  });

  test('never under two minutes: the nodes after a test trigger need the same process', async () => {
    const rig = new Rig();
    const session = await rig.open({ settings: settingsFor(rig.project, { idleTimeoutMs: 1000 }) });
    await session.release();
    await rig.clock.advance(2 * minute - 1);
    expect(rig.starts[0]!.stopped).toBe(false);
    await rig.open();
    expect(rig.starts).toHaveLength(1);
  });
});

describe('stop', () => {
  test('is refused while it would disturb somebody, and done by force', async () => {
    const rig = new Rig();
    const session = await rig.open();
    rig.chord.work();
    expect((await failure(rig.registry.stop(session.key, { force: false }))).code).toBe('session_busy');
    await rig.registry.stop(session.key, { force: true });
    expect(await status(session)).toMatchObject({ running: false, stopped_because: 'stopped' });
  });

  test('of a session that is not known does nothing', async () => {
    await expect(new Rig().registry.stop('c1:default::/nowhere', { force: false })).resolves.toBeUndefined();
  });
});

describe('list', () => {
  test("knows every session of the credential, and no other credential's", async () => {
    const rig = new Rig();
    const names = ['one', 'two'];
    for (const sessionName of names) {
      await rig.open({ address: { projectDirectory: '', sessionName, worktree: '' } });
    }
    await rig.open({ settings: settingsFor(rig.project, { credentialId: 'c2' }) });
    const listed = await rig.registry.list('c1');
    expect(listed.map(({ session }) => session.name)).toEqual(names);
    expect(listed.every(({ running }) => running)).toBe(true);
  });

  test('remembers a limited number of sessions that nobody uses any more, the latest ones', async () => {
    const rig = new Rig();
    rig.registry = rig.newRegistry({ remember: 2 });
    const listed = async () => (await rig.registry.list('c1')).map(({ session }) => session.name);
    const inUse = await rig.open({ address: { projectDirectory: '', sessionName: 'used', worktree: '' } });
    for (const sessionName of ['one', 'two', 'three']) {
      const session = await rig.open({ address: { projectDirectory: '', sessionName, worktree: '' } });
      await rig.registry.stop(session.key, { force: true });
      await session.release();
    }
    await until(async () => (await listed()).length === 3);
    expect((await listed()).toSorted()).toEqual(['three', 'two', 'used']);
    expect(await status(inUse)).toMatchObject({ running: true });
  });

  test('forgets a session that was looked at and never ran', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'never' });
    await session.release();
    await until(async () => (await rig.registry.list('c1')).length === 0);
    expect(locks(rig)).toEqual([]);
  });
});

describe('status', () => {
  test('names the process, who holds the session, and the pin', async () => {
    const rig = new Rig();
    const session = await rig.open({ holder: 'Chord Send in workflow 7' });
    expect((await status(session)).diagnostics).toMatchObject({
      holders: ['Chord Send in workflow 7'],
      pinned_session_id: 'S1',
      pin_problem: null,
    });
    expect((await session.status({ diagnostics: false, includeModels: false })).diagnostics).toBeNull();
  });

  test('starts nothing and takes no lock', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'never' });
    expect(await status(session)).toMatchObject({ running: false, stopped_because: 'never_started' });
    expect(rig.starts).toEqual([]);
    expect(locks(rig)).toEqual([]);
  });
});

describe('shutdown', () => {
  test('ends waits first, then every process, and gives the locks back', async () => {
    const rig = new Rig();
    const session = await rig.open();
    const waiting = failure(session.send(message('hello')));
    await until(() => rig.chord.messages.length === 1);
    const events = await published(session);
    rig.chord.work();
    const down = rig.registry.shutdown();
    expect((await waiting).code).toBe('interrupted');
    await down;
    expect(rig.starts[0]!.stopped).toBe(true);
    expect(locks(rig)).toEqual([]);
    expect(events.filter(({ event }) => event === 'process_exited')).toEqual([]);
  });

  test('can be asked for twice, and nothing is opened or started after it', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'on_demand' });
    await Promise.all([rig.registry.shutdown(), rig.registry.shutdown()]);
    expect((await failure(rig.open())).code).toBe('interrupted');
    expect((await failure(session.send(message('hello')))).code).toBe('interrupted');
    expect(rig.starts).toEqual([]);
  });
});

test('the newest settings of the credential count', async () => {
  const rig = new Rig();
  const session = await rig.open();
  expect((await failure(session.shell('ls'))).code).toBe('command_not_allowed');
  await rig.open({ settings: settingsFor(rig.project, { allowLocalShell: true }) });
  expect(await session.shell('ls')).toMatchObject({ output: 'out' });
});
