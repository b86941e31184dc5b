import { failure, settle } from '../../session/support/promises';
import { until } from '../../support/until';
import { message, processEvents, Rig, status, published, type Start } from '../support/Rig';

/** Chord ends at any moment between its `ready` and the end of its start, where files are read and pins written. */

const exit = ({ chord }: Start): void => chord.transport.exit({ exitCode: 3, signal: null, expected: false });

/** Moments after `ready`: so many promises later, or so many rounds of input and output. */
const moments: [string, (call: () => void) => void][] = [
  ...Array.from({ length: 25 }, (_, count): [string, (call: () => void) => void] => [
    `${count} promises later`,
    (call) => {
      let chain = Promise.resolve();
      for (let step = 0; step < count; step += 1) chain = chain.then(() => undefined);
      if (count === 0) call();
      else void chain.then(call);
    },
  ]),
  ...Array.from({ length: 8 }, (_, count): [string, (call: () => void) => void] => [
    `${count + 1} rounds of input and output later`,
    (call) => {
      const round = (left: number): void => void setImmediate(() => (left === 0 ? call() : round(left - 1)));
      round(count);
    },
  ]),
];

test.each(moments)(
  'Chord that ends %s ends the Send with an error, and no dead process stays',
  async (_, later) => {
    const rig = new Rig();
    const session = await rig.open({ process: 'on_demand' });
    let ended: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (ended = resolve));
    rig.onReady = (start) =>
      later(() => {
        exit(start);
        ended();
      });
    const error = await failure(session.send(message('hello')));
    await over;
    expect(error).toMatchObject({ code: 'process_exited', facts: { exitCode: 3 } });
    expect(rig.starts).toHaveLength(1);
    expect(await status(session)).toMatchObject({ running: false });

    rig.onReady = () => undefined;
    await rig.clock.advance(60_000);
    await session.send(message('again', { waitFor: 'nothing' }));
    expect(rig.chord.messages).toContain('again');
  },
);

test.each(moments)(
  'an open that asks for a process fails, or the end is told as a crash: %s',
  async (_, later) => {
    const rig = new Rig();
    const watcher = await rig.open({ process: 'never' });
    const events = await published(watcher);
    let ended = false;
    rig.onReady = (start) =>
      later(() => {
        exit(start);
        ended = true;
      });
    // Which of the two it is depends on the moment; either way all of this holds.
    await rig.open().catch(() => undefined);
    await until(() => ended);
    await settle();
    expect(await status(watcher)).toMatchObject({ running: false });
    await until(() => processEvents(events).length === 1);
  },
);
