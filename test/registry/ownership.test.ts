import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatKey, fileNameOf } from '../../chord/registry/address/key';
import { thisProcess } from '../../chord/registry/owners/processIdentity';
import { failure } from '../session/support/promises';
import { until } from '../support/until';
import { message, processEvents, Rig, status, published } from './support/Rig';

const locksIn = (rig: Rig) => readdirSync(join(rig.folder, 'locks'));

const lockOf = (rig: Rig) => {
  const key = formatKey({ credentialId: 'c1', name: 'default', worktree: '', projectDirectory: rig.project });
  return { key, path: join(rig.folder, 'locks', `${fileNameOf(key)}.lock`) };
};

/** The lock of an n8n in another container, which shows no life. */
function anotherOwns(rig: Rig): void {
  const { key, path } = lockOf(rig);
  const owner = { ...thisProcess('bb'), host: 'elsewhere', pid: 7 };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    JSON.stringify({ ...owner, key, nonce: 'of another', taken_at: '2030-01-01T00:00:00Z' }),
  );
}

test('B09: a lease that was given back has given back the lock too, and so has a stop', async () => {
  for (let round = 0; round < 20; round += 1) {
    const rig = new Rig();
    const watcher = await rig.open({ process: 'on_demand' });
    await watcher.release();
    expect(locksIn(rig)).toEqual([]);
    const session = await rig.open();
    await session.release();
    await rig.registry.stop(session.key, { force: true });
    expect(locksIn(rig)).toEqual([]);
  }
});

describe('a session that another n8n owned, of which it is not known whether it lives', () => {
  test('who opens it for a call waits for the verdict and goes on', async () => {
    const rig = new Rig();
    anotherOwns(rig);
    const began = rig.clock.now();
    let opened = false;
    const opening = rig.open().then((session) => {
      opened = true;
      return session;
    });
    await until(async () => {
      await rig.clock.advance(5_000);
      return opened;
    });
    expect(rig.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect((await status(await opening)).running).toBe(true);
    expect(JSON.parse(readFileSync(lockOf(rig).path, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  test('a trigger is told at once and tries again', async () => {
    const rig = new Rig();
    anotherOwns(rig);
    const error = await failure(rig.open({ process: 'on_demand', waitsForOwner: false }));
    expect(error).toMatchObject({ code: 'owned_elsewhere' });
    expect(rig.starts).toEqual([]);
  });

  test('who waits for the verdict is let go when n8n ends', async () => {
    const rig = new Rig();
    anotherOwns(rig);
    const opening = failure(rig.open());
    await until(() => rig.clock.pending > 1);
    await rig.registry.shutdown();
    expect((await opening).code).toBe('interrupted');
    expect(rig.clock.pending).toBe(0);
  });
});

describe('an n8n whose session was taken over while it did not run', () => {
  test('stops its Chord before it writes anything more, and tells who waits and who listens', async () => {
    const rig = new Rig();
    const session = await rig.open();
    const events = await published(session);
    const waiting = failure(session.send(message('first')));
    await until(() => rig.chord.transport.written.some(({ type }) => type !== 'status'));
    rig.chord.work();
    const written = rig.chord.transport.written.length;
    anotherOwns(rig);
    expect(await failure(session.send(message('second', { whenBusy: 'join' })))).toMatchObject({
      code: 'owned_elsewhere',
    });
    expect((await waiting).code).toBe('interrupted');
    await until(() => rig.starts[0]!.stopped);
    expect(rig.chord.transport.written).toHaveLength(written);
    expect(processEvents(events)).toEqual(['process_exited replaced']);
    expect(JSON.parse(readFileSync(lockOf(rig).path, 'utf8'))).toMatchObject({ nonce: 'of another' });
  });

  test('finds out at its next heartbeat, when it writes nothing', async () => {
    const rig = new Rig();
    await rig.open();
    anotherOwns(rig);
    await rig.clock.advance(10_000);
    await until(() => rig.starts[0]!.stopped);
    expect(await rig.registry.list('c1')).toMatchObject([{ running: false }]);
  });
});

test('an n8n that ends in good order leaves its heartbeat only with what waits for the next one', async () => {
  const beats = (rig: Rig) => readdirSync(join(rig.folder, 'heartbeats'));
  const rig = new Rig();
  await rig.open();
  expect(beats(rig)).toHaveLength(1);
  await rig.registry.shutdown();
  expect(beats(rig)).toEqual([]);
});
