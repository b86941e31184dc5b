import type { ChordSession, SwitchRequest } from '../../../chord/session';
import { failure, settle } from '../../session/support/promises';
import { until } from '../../support/until';
import { message, Rig } from '../support/Rig';

const switching = (sessionId: string, force = false): SwitchRequest => ({
  sessionId,
  force,
  whenRequestOpen: 'fail',
  heldRequests: [],
  callId: '',
});

/** Everything that would disturb others, and what the refusal begins with; a restart begins with a stop. */
const operations: [string, string, (rig: Rig, session: ChordSession) => Promise<unknown>][] = [
  [
    'stop',
    'Chord was not stopped: ',
    (rig, session) => rig.registry.stop(session.key, { force: false, holder: 'Control' }),
  ],
  ['a new session', 'The session was not changed: ', (_, session) => session.switchSession(switching(''))],
  [
    'another session',
    'The session was not changed: ',
    (_, session) => session.switchSession(switching('S9')),
  ],
  ['another role', 'The role was not changed: ', (_, session) => session.role({ role: 'planner' })],
];

/** What can be open, the error's code, and how the error tells of it. */
const openWork: [string, string, (rig: Rig, session: ChordSession) => void | Promise<void>, string[]][] = [
  [
    'a running turn',
    'session_busy',
    (rig) => rig.chord.work(),
    ['a turn has been running since 2030-01-01T00:00:00.000Z (receiving reply)'],
  ],
  [
    'two requests',
    'request_open',
    (rig) => {
      rig.chord.handoffRequest('h1');
      rig.chord.confirmRequest('r1');
    },
    [
      'the handoff h1 is waiting for a decision',
      'the confirm r1 is waiting for a decision',
      'a turn has been running since 2030-01-01T00:00:00.000Z',
    ],
  ],
  [
    'background jobs',
    'session_busy',
    (rig) => {
      rig.chord.runningJobs = 2;
      rig.chord.turn('Started two jobs.');
    },
    ['2 background jobs are running'],
  ],
  [
    'a node that waits',
    'session_busy',
    async (rig, session) => {
      void session.send(message('go')).catch(() => undefined);
      await until(() => rig.chord.messages.length === 1);
      rig.chord.work();
    },
    [
      'a turn has been running since 2030-01-01T00:00:00.000Z (receiving reply)',
      '1 workflow node waits for what comes of it',
    ],
  ],
  [
    'a message that was not taken up yet',
    'session_busy',
    async (rig, session) => {
      rig.chord.nextReceipt = 'none';
      void session.send(message('go')).catch(() => undefined);
      await until(() => rig.chord.messages.length === 1);
    },
    ['a message is waiting or on its way', '1 workflow node waits for what comes of it'],
  ],
  [
    'a transfer',
    'session_busy',
    (rig) => rig.chord.push('session_transfer_preparing', {}),
    ['the session is being moved to another client'],
  ],
];

describe.each(operations)('%s is refused while something is open', (_name, what, operate) => {
  test.each(openWork)('%s', async (_what, code, begin, reasons) => {
    const rig = new Rig();
    rig.profile = 'd2-receipts';
    const session = await rig.open({ holder: 'Control' });
    await begin(rig, session);
    await settle();
    const before = rig.chord.of('send').length;
    const error = await failure(operate(rig, session));
    expect(error.code).toBe(code);
    expect(error.message).toBe(`${what}${reasons.join('; ')}.`);
    expect(error.description).toContain('Force');
    expect(error.facts).toMatchObject({ sessionKey: session.key, details: { reasons } });
    expect(error.facts.requestId).toBe(code === 'request_open' ? 'h1' : undefined);
    expect(rig.chord.of('send')).toHaveLength(before);
    expect(rig.chord.of('role').filter(({ action }) => action === 'set')).toEqual([]);
    expect(rig.starts.map(({ stopped }) => stopped)).toEqual([false]);
  });

  test('and who else holds the session is named, but not the one who asks', async () => {
    const rig = new Rig();
    const session = await rig.open({ holder: 'Control' });
    await rig.open({ holder: 'Chord Trigger in workflow Approvals', process: 'never' });
    await rig.open({ holder: 'Control', process: 'never' });
    rig.chord.work();
    const error = await failure(operate(rig, session));
    expect(error.code).toBe('session_busy');
    expect(error.message).toContain(' Also using the session: Chord Trigger in workflow Approvals; Control.');
    expect(error.facts.details).toMatchObject({
      reasons: [expect.stringContaining('a turn has been running')],
      held_by: ['Chord Trigger in workflow Approvals', 'Control'],
    });
  });

  test('somebody who only holds the session is no reason', async () => {
    const rig = new Rig();
    const session = await rig.open({ holder: 'Control' });
    await rig.open({ holder: 'Chord Trigger in workflow Approvals', process: 'never' });
    const outcome = operate(rig, session).then(
      () => 'done',
      (error: unknown) => error,
    );
    // Whatever Chord itself makes of it, it was asked.
    await until(
      () =>
        rig.starts[0]!.stopped ||
        rig.chord.messages.length > 0 ||
        rig.chord.of('role').some(({ action }) => action === 'set'),
    );
    rig.chord.idle();
    await rig.clock.advance(10_000);
    expect(await outcome).toBe('done');
  });
});

test('a stop in the middle of a start is refused, and says so', async () => {
  const rig = new Rig();
  let go: () => void = () => undefined;
  rig.next.push(
    new Promise<void>((resolve) => {
      go = resolve;
    }),
  );
  const opened = rig.open();
  await rig.hasStarted(1);
  const [known] = await rig.registry.list('c1');
  const error = await failure(rig.registry.stop(known?.session.key ?? '', { force: false }));
  expect(error).toMatchObject({
    code: 'session_busy',
    message: 'Chord was not stopped: it is being started. Also using the session: a test.',
  });
  go();
  await opened;
});

test('without a process: what is unknown since it ended is named before another session is begun', async () => {
  const rig = new Rig();
  rig.profile = 'd2-receipts';
  const session = await rig.open({ holder: 'Control' });
  rig.chord.nextReceipt = 'none';
  const lost = session.send(message('was this\nread?')).catch(() => undefined);
  await until(() => rig.chord.messages.length === 1);
  rig.crash();
  await lost;
  const error = await failure(session.switchSession(switching('')));
  expect(error.code).toBe('session_busy');
  expect(error.message).toBe(
    'The session was not changed: it is unknown what became of the message "was this read?".',
  );
  expect(rig.starts).toHaveLength(1);
  await rig.clock.advance(1000);
  expect(await session.switchSession(switching('', true))).toMatchObject({ active_session_id: 'S2' });
});
