import { ChordError } from '../../../chord/errors';
import type { ChordSession } from '../../../chord/session';
import { settle } from '../../session/support/promises';
import { until } from '../../support/until';
import { message, processEvents, Rig, status, published } from '../support/Rig';
import { settingsFor } from '../support/settings';

/** A session that has had a message, and everything that is told of it. */
async function used(rig: Rig, more: Parameters<Rig['open']>[0] = {}) {
  const session = await rig.open(more);
  const events = await published(session);
  await session.send(message('hello', { waitFor: 'nothing' }));
  // Chord acknowledges before it works.
  await settle();
  rig.chord.turn('hi');
  await until(async () => (await status(session)).busy === false);
  return { session, events };
}

const failed = (code: ConstructorParameters<typeof ChordError>[0] = 'exited_before_ready') =>
  new ChordError(code, `It went wrong: ${code}.`);

/** Moves on until the registry has tried once more and knows what came of it. */
async function nextTry(rig: Rig, seconds: number): Promise<void> {
  const before = rig.starts.length;
  await rig.clock.advance(seconds * 1000);
  await rig.hasStarted(before + 1);
}

const stoppedBecause = async (session: ChordSession) => (await status(session)).stopped_because;

test('a timer that fires before its time, as those of Node do, makes the try all the same', async () => {
  const rig = new Rig();
  const { session } = await used(rig);
  const { clock } = rig;
  const after = clock.after.bind(clock);
  clock.after = (ms, call) => after(ms - 1, call);
  rig.crash();
  await clock.advance(999);
  await rig.runs(session);
  expect(rig.started).toEqual(['new', 'resume S1']);
});

test('B07: an unexpected end is reported once, and the pinned session is started again after a second', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.crash();
  expect(await status(session)).toMatchObject({ running: false, stopped_because: 'crashed' });
  await rig.clock.advance(999);
  expect(rig.started).toEqual(['new']);
  await rig.comesBack(session);

  expect(rig.started).toEqual(['new', 'resume S1']);
  await until(() => events.some(({ event }) => event === 'process_restarted'));
  expect(processEvents(events)).toEqual(['process_exited planned', 'process_restarted']);
  const exit = events.find(({ event }) => event === 'process_exited');
  expect(exit).toMatchObject({ payload: { signal: 'SIGKILL', exit_code: null, restart_in_ms: 1000 } });
  expect(exit!.summary).toContain('SIGKILL');

  rig.chord.confirmRequest('r1');
  await until(() => events.some(({ request }) => request?.id === 'r1'));
});

test('tries go on with growing pauses until one succeeds, quietly', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.next.push(failed(), failed('start_timeout'));
  rig.crash();
  for (const seconds of [1, 2]) {
    await nextTry(rig, seconds);
    await until(() => rig.clock.delays.some((delay) => delay === seconds * 2000));
  }
  await nextTry(rig, 4);
  await rig.runs(session);
  expect(rig.starts).toHaveLength(4);
  // The start is told right after the process is there.
  await until(() => processEvents(events).length > 1);
  expect(processEvents(events)).toEqual(['process_exited planned', 'process_restarted']);
});

test('the fifth failure in five minutes is the last, which is told; whoever asks then tries again', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.next.push(...Array.from({ length: 4 }, () => failed()));
  rig.crash();
  for (const seconds of [1, 2, 4, 8]) await nextTry(rig, seconds);
  await until(async () => (await stoppedBecause(session)) === 'given_up');
  await rig.clock.advance(9 * 60_000);
  expect(rig.starts).toHaveLength(5);
  expect(processEvents(events)).toEqual(['process_exited planned', 'process_exited given_up']);
  expect(events.at(-1)).toMatchObject({ payload: { code: 'exited_before_ready' } });

  await session.send(message('still there?', { waitFor: 'nothing' }));
  expect(rig.chord.messages).toEqual(['still there?']);
  await until(() => processEvents(events).includes('process_restarted'));
  rig.chord.turn('yes');
  rig.crash();
  expect(processEvents(events).at(-1)).toBe('process_exited planned');
});

test('a process that was healthy for a minute begins with one second again', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  for (let round = 0; round < 7; round += 1) {
    rig.crash();
    await rig.comesBack(session);
    await until(() => events.filter(({ event }) => event === 'process_restarted').length === round + 1);
    await rig.clock.advance(60_000);
  }
  expect(processEvents(events).filter((event) => event === 'process_exited planned')).toHaveLength(7);
});

test.each(['binary_not_found', 'invalid_configuration', 'no_configuration', 'directory_missing'] as const)(
  'after %s it is told once, and tried each ten minutes, since somebody may have changed it',
  async (code) => {
    const rig = new Rig();
    const { events } = await used(rig);
    rig.next.push(failed(code), failed(code));
    rig.crash();
    await nextTry(rig, 1);
    await until(() => processEvents(events).includes('process_exited impossible'));
    expect(events.at(-1)).toMatchObject({
      event: 'process_exited',
      payload: { code, restart_in_ms: 600_000 },
    });
    await rig.clock.advance(599_999);
    expect(rig.starts).toHaveLength(2);
    await rig.clock.advance(1);
    await rig.hasStarted(3);
    await rig.clock.advance(600_000);
    await rig.hasStarted(4);
    await until(() => processEvents(events).length === 3);
    expect(processEvents(events)).toEqual([
      'process_exited planned',
      'process_exited impossible',
      'process_restarted',
    ]);
  },
);

test('a session that another process holds is tried every minute', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.next.push(failed('session_held'), failed('session_held'));
  rig.crash();
  await nextTry(rig, 1);
  await until(() => processEvents(events).includes('process_exited impossible'));
  await nextTry(rig, 60);
  await until(() => rig.clock.delays.includes(60_000));
  await nextTry(rig, 60);
  await rig.runs(session);
});

test('given up, it is tried each ten minutes while somebody holds it, so that a repaired Chord comes back', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.next.push(...Array.from({ length: 6 }, () => failed()));
  rig.crash();
  for (const seconds of [1, 2, 4, 8]) await nextTry(rig, seconds);
  await until(() => processEvents(events).includes('process_exited given_up'));
  for (const _ of [1, 2]) {
    await until(() => rig.clock.delays.includes(600_000));
    await rig.clock.advance(599_999);
    const before = rig.starts.length;
    await nextTry(rig, 0.001);
    expect(rig.starts).toHaveLength(before + 1);
  }
  await until(() => rig.clock.delays.includes(600_000));
  await nextTry(rig, 600);
  await rig.runs(session);
  await until(() => processEvents(events).length === 3);
  expect(processEvents(events).slice(1)).toEqual(['process_exited given_up', 'process_restarted']);
});

test('nobody is there who may start it: it stays ended until somebody comes', async () => {
  const rig = new Rig();
  const { session } = await used(rig);
  const watcher = await rig.open({ process: 'never' });
  const events = await published(watcher, 'watcher');
  await session.release();
  rig.crash();
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);
  expect(processEvents(events)).toEqual(['process_exited not_used']);
  await rig.open();
  expect(rig.started).toEqual(['new', 'resume S1']);
});

test('the last lease that ends takes the planned try with it', async () => {
  const rig = new Rig();
  const { session } = await used(rig);
  rig.crash();
  await session.release();
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);
});

test('restartOnCrash false: reported, and not started again by itself', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig, {
    settings: settingsFor(rig.project, { restartOnCrash: false }),
  });
  rig.crash();
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);
  expect(processEvents(events)).toEqual(['process_exited switched_off']);
  await session.send(message('again', { waitFor: 'nothing' }));
  expect(rig.started).toEqual(['new', 'resume S1']);
});

test('not started again by itself while the outcome of a message is unknown, but when somebody asks', async () => {
  const rig = new Rig();
  rig.profile = 'd2-receipts';
  const { session, events } = await used(rig);
  rig.chord.nextReceipt = 'none';
  const lost = session.send(message('was this read?')).catch((error: unknown) => error);
  await until(() => rig.chord.messages.length === 2);
  rig.crash();
  expect(await lost).toMatchObject({ code: 'process_exited' });
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);
  expect(processEvents(events)).toEqual(['process_exited unknown_input']);

  await rig.open();
  expect(rig.started).toEqual(['new', 'resume S1']);
  expect(rig.chord.messages).toEqual([]);
});

test('acknowledged by a person, what was unknown no longer keeps it from being started again', async () => {
  const rig = new Rig();
  rig.profile = 'd2-receipts';
  const { session, events } = await used(rig);
  rig.chord.nextReceipt = 'none';
  const lost = session.send(message('was this read?')).catch((error: unknown) => error);
  await until(() => rig.chord.messages.length === 2);
  rig.crash();
  await lost;
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);

  const other = await rig.open({ process: 'never' });
  expect(await other.acknowledge()).toMatchObject({
    unknown_inputs: [{ kind: 'message', text: 'the message "was this read?"' }],
  });
  await rig.clock.advance(0);
  await rig.runs(session);
  expect(rig.started).toEqual(['new', 'resume S1']);
  expect(processEvents(events)).toEqual(['process_exited unknown_input', 'process_restarted']);
  expect(rig.chord.messages).toEqual([]);
});

test('acknowledging starts nothing that did not end unexpectedly', async () => {
  const rig = new Rig();
  const session = await rig.open({ process: 'never' });
  expect(await session.acknowledge()).toEqual({ unknown_inputs: [], transfer_lifted: false });
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toEqual([]);
});

test('a stop is no crash', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  await rig.registry.stop(session.key, { force: false });
  await rig.clock.advance(10 * 60_000);
  expect(rig.starts).toHaveLength(1);
  expect(processEvents(events)).toEqual([]);
  expect(await stoppedBecause(session)).toBe('stopped');
});

test('B62: a request that was open when the process ended is lost, and its decision is refused', async () => {
  const rig = new Rig();
  const { session, events } = await used(rig);
  rig.chord.work();
  rig.chord.confirmRequest('r1');
  rig.crash();
  await rig.comesBack(session);
  await until(() => events.some(({ event }) => event === 'request_closed'));
  expect(events.find(({ event }) => event === 'request_closed')).toMatchObject({
    reason: 'lost',
    request: { id: 'r1' },
  });
  expect((await session.requests({ ids: ['r1'] }))[0]).toMatchObject({ state: 'lost' });
  expect(rig.chord.written).toEqual([]);
});
