import { ChordError } from '../../../chord/errors';
import { failure } from '../../session/support/promises';
import { until } from '../../support/until';
import { message, processEvents, Rig, status, published } from '../support/Rig';
import { settingsFor } from '../support/settings';

/** The back-off stands before every start, whoever asks for it. */

const failed = (code: ConstructorParameters<typeof ChordError>[0] = 'exited_before_ready') =>
  new ChordError(code, `It went wrong: ${code}.`, { description: 'Look at it.' });

const resume = (sessionId: string) => ({ mode: 'resume' as const, sessionId });

/** A Send as a workflow makes it: with a lease of its own. */
async function send(rig: Rig, more: Parameters<Rig['open']>[0] = {}): Promise<unknown> {
  const session = await rig.open({ process: 'on_demand', ...more });
  try {
    return await session.send(message('hello', { waitFor: 'nothing' }));
  } finally {
    await session.release();
  }
}

/** A Chord that never comes up, and one Send that has met it. */
async function broken(code?: Parameters<typeof failed>[0]) {
  const rig = new Rig();
  rig.next.push(...Array.from({ length: 50 }, () => failed(code)));
  await failure(send(rig));
  return rig;
}

describe('a program that ends at once, with a Send each 100 ms', () => {
  async function storm(rig: Rig, seconds: number) {
    const errors: ChordError[] = [];
    for (let tenth = 0; tenth < seconds * 10; tenth += 1) {
      errors.push(await failure(send(rig)));
      await rig.clock.advance(100);
    }
    return errors;
  }

  test('is started a few times', async () => {
    const rig = new Rig();
    rig.next.push(...Array.from({ length: 50 }, () => failed()));
    const errors = await storm(rig, 10);
    expect(rig.starts).toHaveLength(4);
    expect(errors.every(({ code }) => code === 'exited_before_ready')).toBe(true);
  });

  test('is reported to an active trigger once, and once more when it is given up', async () => {
    const rig = new Rig();
    rig.next.push(...Array.from({ length: 50 }, () => failed()));
    const trigger = await rig.open({ process: 'on_demand' });
    const events = await published(trigger);
    await storm(rig, 20);
    expect(rig.starts).toHaveLength(5);
    expect(processEvents(events)).toEqual(['process_exited planned', 'process_exited given_up']);
    expect(events[0]!.summary).toBe(
      'Chord could not be started: It went wrong: exited_before_ready. It is restarted in 1 s.',
    );
    expect(await status(trigger)).toMatchObject({
      running: false,
      stopped_because: 'given_up',
      last_error: 'It went wrong: exited_before_ready.',
      start: { failed: 5, next_try_at: '2030-01-01T00:00:31.000Z' },
    });
  });
});

test('a start inside the gap fails at once with the last error and the time of the next try', async () => {
  const rig = await broken();
  const error = await failure(send(rig));
  expect(rig.starts).toHaveLength(1);
  expect(error).toMatchObject({
    code: 'exited_before_ready',
    message: 'It went wrong: exited_before_ready. The next start is possible at 2030-01-01T00:00:01.000Z.',
    description: 'Look at it. A test in the editor or a changed credential can try again at once.',
  });
  await rig.clock.advance(999);
  await failure(send(rig));
  expect(rig.starts).toHaveLength(1);
  await rig.clock.advance(1);
  await failure(send(rig));
  expect(rig.starts).toHaveLength(2);
});

test('Status tells of a session that never came up, also when nobody holds it', async () => {
  const rig = await broken();
  expect(await rig.registry.list('c1')).toMatchObject([
    { stopped_because: 'start_failed', start: { failed: 1, next_try_at: '2030-01-01T00:00:01.000Z' } },
  ]);
  await rig.clock.advance(1000);
  expect(await rig.registry.list('c1')).toMatchObject([{ start: { failed: 1, next_try_at: null } }]);
});

test('a crash closes the gap for whoever asks, too', async () => {
  const rig = new Rig();
  await send(rig);
  rig.crash();
  const error = await failure(send(rig));
  expect(error.message).toBe(
    'Chord ended by signal SIGKILL. The next start is possible at 2030-01-01T00:00:01.000Z.',
  );
  await rig.clock.advance(1000);
  await send(rig);
  expect(rig.starts).toHaveLength(2);
});

test('a person in the editor tries at once, once for each thing that they do', async () => {
  const rig = await broken();
  for (const attended of ['execution 1', 'execution 1', 'execution 2'])
    await failure(send(rig, { attended }));
  expect(rig.starts).toHaveLength(3);
});

test('a changed credential is tried at once, once for each change', async () => {
  const rig = await broken();
  const changed = settingsFor(rig.project, { command: '/opt/chord' });
  for (const settings of [changed, changed, settingsFor(rig.project)]) await failure(send(rig, { settings }));
  expect(rig.starts).toHaveLength(2);
});

test('a minute without failure, and all is as if nothing had been', async () => {
  const rig = await broken();
  rig.next.length = 0;
  await rig.clock.advance(1000);
  await send(rig);
  await rig.clock.advance(60_000);
  expect(await rig.registry.list('c1')).toMatchObject([{ start: { failed: 0, next_try_at: null } }]);
  rig.crash();
  expect((await failure(send(rig))).code).toBe('process_exited');
  expect(await rig.registry.list('c1')).toMatchObject([{ start: { failed: 1 } }]);
});

describe('a Send that asks for a session which is not there', () => {
  const missing = async () => {
    const rig = new Rig();
    const trigger = await rig.open({ process: 'on_demand' });
    const events = await published(trigger);
    rig.next.push(failed('session_not_found'));
    await failure(send(rig, { start: resume('S9') }));
    return { rig, events };
  };

  test('keeps nobody else from their session, and is tried no more before its time', async () => {
    const { rig } = await missing();
    expect((await failure(send(rig, { start: resume('S9') }))).code).toBe('session_not_found');
    expect(rig.starts).toHaveLength(1);
    await send(rig);
    expect(rig.started).toEqual(['resume S9', 'new']);
  });

  test('is told to who asked: the session that others want has not failed', async () => {
    const { rig, events } = await missing();
    await rig.clock.advance(20 * 60_000);
    expect(rig.starts).toHaveLength(1);
    expect(processEvents(events)).toEqual([]);
  });
});

describe('no try by itself', () => {
  test('where the credential says so', async () => {
    const rig = new Rig();
    const settings = settingsFor(rig.project, { restartOnCrash: false });
    const trigger = await rig.open({ process: 'on_demand', settings });
    const events = await published(trigger);
    rig.next.push(failed());
    await failure(send(rig, { settings }));
    await rig.clock.advance(20 * 60_000);
    expect(rig.starts).toHaveLength(1);
    expect(processEvents(events)).toEqual(['process_exited switched_off']);
  });

  test('while the outcome of a message is unknown, also after a failed start', async () => {
    const rig = new Rig();
    rig.profile = 'd2-receipts';
    const trigger = await rig.open();
    const events = await published(trigger);
    rig.chord.nextReceipt = 'none';
    const lost = failure(trigger.send(message('was this read?')));
    await until(() => rig.chord.messages.length === 1);
    rig.crash();
    await lost;
    rig.next.push(failed(), failed('binary_not_found'));
    for (const _ of [1, 2]) {
      await rig.clock.advance(60_000);
      await failure(send(rig));
    }
    await rig.clock.advance(20 * 60_000);
    expect(rig.starts).toHaveLength(3);
    expect(processEvents(events)).toEqual(['process_exited unknown_input', 'process_exited impossible']);
  });

  test('once nobody holds the session', async () => {
    const rig = await broken();
    await rig.clock.advance(20 * 60_000);
    expect(rig.starts).toHaveLength(1);
  });
});

test('a Chord that dies soon after each start ends the one Send that waits', async () => {
  const rig = new Rig();
  rig.onReady = ({ chord }) => {
    rig.clock.after(100, () => chord.transport.exit({ exitCode: 1, signal: null, expected: false }));
    chord.mute = true;
  };
  let error: ChordError | undefined;
  void failure(send(rig)).then((failure) => (error = failure));
  await until(async () => {
    await rig.clock.advance(1000);
    return error !== undefined;
  });
  expect(error).toMatchObject({ code: 'process_exited', facts: { exitCode: 1 } });
  expect(rig.starts).toHaveLength(1);
});

test('a clock that was set back keeps nobody out longer than the gap is', async () => {
  const rig = await broken();
  const now = rig.clock.now();
  jest.spyOn(rig.clock, 'now').mockReturnValue(now - 3_600_000);
  await failure(send(rig));
  expect(rig.starts).toHaveLength(2);
});

test('a start that fails by a fault of this package is one more failure, and is tried again like any other', async () => {
  const rig = new Rig();
  const session = await rig.open();
  const events = await published(session);
  rig.next.push(new TypeError('nothing there') as ChordError);
  rig.crash();
  await rig.clock.advance(1000);
  await rig.hasStarted(2);
  await until(() => processEvents(events).length > 0);
  await rig.clock.advance(2000);
  await rig.hasStarted(3);
  await rig.runs(session);
});
