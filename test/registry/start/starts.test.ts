import { ChordError } from '../../../chord/errors';
import { failure } from '../../session/support/promises';
import { until } from '../../support/until';
import { Gate, message, Rig, status, published } from '../support/Rig';

const start = (mode: 'continue' | 'new' | 'resume' | 'latest', sessionId = '') => ({ mode, sessionId });

describe('sharing', () => {
  test('B51: ten opens at the same moment start one process', async () => {
    const rig = new Rig();
    const sessions = await Promise.all(Array.from({ length: 10 }, () => rig.open()));
    expect(rig.started).toEqual(['new']);
    expect(new Set(sessions.map(({ key }) => key)).size).toBe(1);
  });

  test('B51: all who share a start get its error, and an open after the next second tries again', async () => {
    const rig = new Rig();
    const error = new ChordError('start_timeout', 'Chord did not say ready.');
    rig.next.push(error);
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => failure(rig.open())));
    expect(outcomes).toEqual([error, error, error]);
    expect(rig.started).toHaveLength(1);

    await rig.clock.advance(1000);
    await rig.open();
    expect(rig.started).toHaveLength(2);
  });

  test('B51: a stop during the start ends it, and an open after it gets a process of its own', async () => {
    const rig = new Rig();
    const held = new Gate();
    rig.next.push(held.opened);
    const first = failure(rig.open());
    await rig.hasStarted(1);
    const key = `c1:default::${rig.project}`;
    const stopped = rig.registry.stop(key, { force: true });
    const second = rig.open();
    held.open();

    expect((await first).code).toBe('interrupted');
    await stopped;
    expect(await status(await second)).toMatchObject({ running: true });
    expect(rig.starts.map(({ stopped }) => stopped)).toEqual([true, false]);
  });

  test('B09: fifty stops and opens at the same moment never leave two processes', async () => {
    const rig = new Rig();
    const { key } = await rig.open();
    const opens = [];
    for (let round = 0; round < 50; round += 1) {
      void rig.registry.stop(key, { force: true });
      opens.push(rig.open());
    }
    const sessions = await Promise.all(opens);
    expect(await status(sessions[49]!)).toMatchObject({ running: true });
    expect(rig.starts.filter(({ stopped }) => !stopped)).toHaveLength(1);
  });

  test('a process that is not needed yet is started by the first call that needs it', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'on_demand' });
    expect(rig.started).toEqual([]);
    expect(await status(session)).toMatchObject({ running: false, stopped_because: 'never_started' });

    const sent = session.send(message('hello', { waitFor: 'nothing' }));
    await rig.hasStarted(1);
    expect(await sent).toMatchObject({ kind: 'finished' });
    expect(rig.chord.messages).toEqual(['hello']);
  });

  test('a lease that may never start a process does not', async () => {
    const rig = new Rig();
    const session = await rig.open({ process: 'never' });
    expect((await failure(session.send(message('hello')))).code).toBe('start_failed');
    expect(rig.started).toEqual([]);
  });

  test('a lease that was given back is of no use, and giving it back twice does no harm', async () => {
    const rig = new Rig();
    const session = await rig.open();
    await session.release();
    await session.release();
    expect((await failure(session.status({ diagnostics: false, includeModels: false }))).code).toBe(
      'internal',
    );
  });

  test('no listener outlives its lease', async () => {
    const rig = new Rig();
    const [one, other] = [await rig.open(), await rig.open()];
    const [gone, stays] = [await published(one, 'one'), await published(other, 'other')];
    await one.release();
    rig.chord.push('toast', { message: 'hi', level: 'info' });
    await until(() => stays.length > 0);
    expect(gone).toEqual([]);
  });
});

describe('start modes', () => {
  /** A session that has had a message, stopped again. */
  async function pinned(rig: Rig) {
    const session = await rig.open();
    await session.send(message('hello', { waitFor: 'nothing' }));
    rig.chord.turn('hi');
    await rig.registry.stop(session.key, { force: true });
    await session.release();
    return session;
  }

  test('a session with messages is continued, one without is not', async () => {
    const rig = new Rig();
    const { key } = await rig.open();
    await rig.registry.stop(key, { force: true });
    await pinned(rig);
    await rig.open();
    expect(rig.started).toEqual(['new', 'new', 'resume S2']);
  });

  test('B62: the pin holds over a restart of n8n', async () => {
    const rig = new Rig();
    await pinned(rig);
    await rig.registry.shutdown();
    rig.registry = rig.newRegistry();
    await rig.open();
    expect(rig.started).toEqual(['new', 'resume S1']);
  });

  test.each([
    ['new', start('new'), 'new'],
    ['resume', start('resume', 'S9'), 'resume S9'],
    ['latest', start('latest'), 'latest'],
  ] as const)('%s goes past the pin', async (_, request, expected) => {
    const rig = new Rig();
    await pinned(rig);
    await rig.open({ start: request });
    expect(rig.started).toEqual(['new', expected]);
  });

  test('a start mode counts once: after a stop the same lease continues what it began', async () => {
    const rig = new Rig();
    await pinned(rig);
    const session = await rig.open({ start: start('new') });
    await session.send(message('hello', { waitFor: 'nothing' }));
    rig.chord.turn('hi');
    await rig.registry.stop(session.key, { force: true });
    await session.send(message('again', { waitFor: 'nothing' }));
    expect(rig.started).toEqual(['new', 'new', 'resume S2']);
  });

  test('a session that Chord chose itself is begun anew if it had no messages', async () => {
    const rig = new Rig();
    const session = await rig.open({ start: start('latest') });
    await rig.registry.stop(session.key, { force: true });
    rig.next.push(new ChordError('session_not_found', 'no messages'));
    await rig.open();
    expect(rig.started).toEqual(['latest', 'resume S1', 'new']);
  });

  test('a pinned session that is gone is an error, never another session', async () => {
    const rig = new Rig();
    await pinned(rig);
    rig.next.push(new ChordError('session_not_found', 'no such session'));
    expect((await failure(rig.open())).code).toBe('session_not_found');
    expect(rig.started).toEqual(['new', 'resume S1']);
  });

  test('a program that opens another session than it was told is stopped, and the pin stays', async () => {
    const rig = new Rig();
    await pinned(rig);
    rig.misdirect = 'S77';
    expect((await failure(rig.open())).code).toBe('wrong_session');
    expect(rig.starts.at(-1)!.stopped).toBe(true);
    rig.misdirect = undefined;
    await rig.clock.advance(1000);
    await rig.open();
    expect(rig.started.at(-1)).toBe('resume S1');
  });

  test('B52: resume of another id than the running one is an error that names both', async () => {
    const rig = new Rig();
    await rig.open();
    for (const process of ['now', 'on_demand'] as const) {
      const error = await failure(rig.open({ start: start('resume', 'S9'), process }));
      expect(error).toMatchObject({ code: 'wrong_session' });
      expect(error.message).toMatch(/S1.*S9/);
    }
    expect(rig.started).toEqual(['new']);
  });

  test('continue, latest and resume of the running id change nothing', async () => {
    const rig = new Rig();
    await rig.open();
    for (const request of [start('continue'), start('latest'), start('resume', 'S1')]) {
      await rig.open({ start: request });
    }
    expect(rig.started).toEqual(['new']);
    expect(rig.chord.messages).toEqual([]);
  });

  test('new with a running process begins a new session once Chord is idle', async () => {
    const rig = new Rig();
    const session = await rig.open();
    await session.send(message('hello', { waitFor: 'nothing' }));
    rig.chord.work();
    const second = rig.open({ start: start('new') });
    await until(async () => (await status(session)).queued_sends === 1);
    expect(rig.chord.messages).toEqual(['hello']);

    rig.chord.say('hi');
    rig.chord.idle();
    await until(() => rig.chord.messages.length === 2);
    expect(rig.chord.messages[1]).toBe('/new');
    rig.chord.push('session_switched', { session_id: 'S2' });
    rig.chord.push('toast', { message: 'New session started', level: 'info' });
    rig.chord.idle('', { suppress_user_notification: true });
    const waited = second.then(() => true);
    for (let tries = 0; tries < 10; tries += 1) await rig.clock.advance(500);
    expect(await waited).toBe(true);
    expect(rig.started).toEqual(['new']);
    expect((await session.describe()).id).toBe('S2');
  });

  test('new with a running process that has had no message yet keeps it', async () => {
    const rig = new Rig();
    await rig.open();
    await rig.open({ start: start('new') });
    expect(rig.started).toEqual(['new']);
    expect(rig.chord.messages).toEqual([]);
  });

  test('new that came to nothing is wished for still, and fulfilled once', async () => {
    const rig = new Rig();
    await rig.open().then((session) => session.send(message('hello', { waitFor: 'nothing' })));
    rig.chord.turn('hi');
    rig.chord.handoffRequest('h1');
    const session = await rig.open({ start: start('new'), process: 'on_demand' });
    expect((await failure(session.send(message('task')))).code).toBe('request_open');
    rig.chord.push('handoff_cancelled', { request_id: 'h1', reason: 'superseded' });
    rig.chord.idle();
    void session.send(message('task'));
    await until(() => rig.chord.messages.at(-1) === '/new');
    rig.chord.push('session_switched', { session_id: 'S2' });
    rig.chord.push('toast', { message: 'New session started', level: 'info' });
    await until(() => rig.chord.messages.at(-1) === 'task');
    rig.chord.turn('done');
    void session.send(message('more'));
    await until(() => rig.chord.messages.at(-1) === 'more');
    expect(rig.chord.messages).toEqual(['hello', '/new', 'task', 'more']);
  });
});
