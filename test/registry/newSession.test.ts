import type { CallResult, ChordSession } from '../../chord/session';
import { failure } from '../session/support/promises';
import { until } from '../support/until';
import { message, Rig, status } from './support/Rig';

const start = { mode: 'new', sessionId: '' } as const;

const finished = (call: CallResult) => {
  if (call.kind !== 'finished') throw new Error('A person has to decide.');
  const { result } = call;
  return { session: result.session.id, text: result.text };
};

/** A session in use, and what plays its Chord. */
class Scene {
  readonly rig = new Rig();

  private sessions = 1;

  /** The session with a first turn in S1. */
  async begin(): Promise<ChordSession> {
    const session = await this.rig.open();
    const first = session.send(message('hello'));
    await this.hears('hello');
    this.rig.chord.turn('hi');
    await first;
    return session;
  }

  /** A message in start mode *new*, as an execution sends it. */
  async send(text: string, more: Parameters<typeof message>[1] = {}): Promise<CallResult> {
    const session = await this.rig.open({ start, process: 'on_demand' });
    return await session.send(message(text, more));
  }

  /** Chord has got this as its newest message. */
  async hears(text: string): Promise<void> {
    await until(() => this.rig.chord.messages.at(-1) === text, `Chord hears ${text}`);
  }

  /** Chord does what `/new` says. */
  async switches(): Promise<void> {
    const { chord, clock } = this.rig;
    this.sessions += 1;
    chord.push('session_switched', { session_id: `S${this.sessions}` });
    chord.push('toast', { message: `Started new session S${this.sessions}`, level: 'info' });
    chord.idle('', { suppress_user_notification: true });
    await clock.advance(2000);
  }
}

test('two executions at once each get a session of their own, whole: its beginning and its message are one', async () => {
  const scene = new Scene();
  const other = await scene.begin();
  const one = scene.send('task 1');
  await scene.hears('/new');
  const two = scene.send('task 2');
  await until(async () => (await status(other)).queued_sends === 1);

  await scene.switches();
  await scene.hears('task 1');
  scene.rig.chord.turn('done 1');
  expect(finished(await one)).toEqual({ session: 'S2', text: 'done 1' });

  await scene.hears('/new');
  await scene.switches();
  await scene.hears('task 2');
  scene.rig.chord.turn('done 2');
  expect(finished(await two)).toEqual({ session: 'S3', text: 'done 2' });
  expect(scene.rig.chord.messages).toEqual(['hello', '/new', 'task 1', '/new', 'task 2']);
});

test.each(['wait', 'join'] as const)(
  'a message of somebody else (%s) comes in between neither',
  async (whenBusy) => {
    const scene = new Scene();
    const other = await scene.begin();
    const one = scene.send('task 1');
    await scene.hears('/new');
    const third = other.send(message('by the way', { whenBusy }));
    await until(async () => (await status(other)).queued_sends === 1);

    await scene.switches();
    await scene.hears('task 1');
    scene.rig.chord.turn('done 1');
    expect(finished(await one)).toMatchObject({ text: 'done 1' });
    await scene.hears('by the way');
    scene.rig.chord.turn('indeed');
    expect(finished(await third)).toMatchObject({ text: 'indeed' });
    expect(scene.rig.chord.messages).toEqual(['hello', '/new', 'task 1', 'by the way']);
  },
);

test('a session that has had no message yet is new, for the first of two only', async () => {
  const scene = new Scene();
  const { rig } = scene;
  const one = scene.send('task 1');
  await rig.hasStarted(1);
  await scene.hears('task 1');
  const two = scene.send('task 2');
  rig.chord.turn('done 1');
  expect(finished(await one)).toEqual({ session: 'S1', text: 'done 1' });
  await scene.hears('/new');
  await scene.switches();
  await scene.hears('task 2');
  rig.chord.turn('done 2');
  expect(finished(await two)).toEqual({ session: 'S2', text: 'done 2' });
});

test('where Chord tells of no new session the message is not sent', async () => {
  const scene = new Scene();
  await scene.begin();
  const error = failure(scene.send('task 1'));
  await scene.hears('/new');
  scene.rig.chord.push('toast', { message: 'Not now', level: 'warn' });
  scene.rig.chord.idle('', { suppress_user_notification: true });
  for (let tries = 0; tries < 10; tries += 1) await scene.rig.clock.advance(500);
  expect(await error).toMatchObject({ code: 'command_failed' });
  expect(scene.rig.chord.messages).toEqual(['hello', '/new']);
});

test('an open request is no reason to begin a session: nothing is written', async () => {
  const scene = new Scene();
  await scene.begin();
  scene.rig.chord.work();
  scene.rig.chord.confirmRequest('r1');
  expect(await failure(scene.send('task 1'))).toMatchObject({ code: 'request_open' });
  expect(scene.rig.chord.messages).toEqual(['hello']);
});

test('Control begins a session between the messages of others, never between a beginning and its message', async () => {
  const scene = new Scene();
  const other = await scene.begin();
  const one = scene.send('task 1');
  await scene.hears('/new');
  const change = failure(
    other.switchSession({
      sessionId: '',
      whenRequestOpen: 'fail',
      heldRequests: [],
      force: false,
      callId: '',
    }),
  );
  expect(await change).toMatchObject({ code: 'session_busy' });
  await scene.switches();
  await scene.hears('task 1');
  scene.rig.chord.turn('done 1');
  await one;
  expect(scene.rig.chord.messages).toEqual(['hello', '/new', 'task 1']);
});
