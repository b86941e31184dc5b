import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { FakeChord } from '../../../support/FakeChord';
import { busy } from '../support/sends';

describe('the process ends', () => {
  test('B46: whoever waits learns how, with the last words', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x');
    await settle();
    harness.chord.work();
    harness.chord.transport.exit({
      exitCode: 3,
      signal: null,
      expected: false,
      stderrTail: 'no api key',
    });
    const error = await failure(call);
    expect(error.code).toBe('process_exited');
    expect(error.message).toContain('3');
    expect(error.description).toContain('no api key');
    expect(error.facts).toMatchObject({ exitCode: 3, details: { written: true } });
  });

  test('B46: a status in flight rejects too', async () => {
    const harness = await Harness.start('d1');
    harness.chord.mute = true;
    const models = harness.session.models({});
    await settle();
    harness.chord.transport.exit({ exitCode: 3, signal: null, expected: false });
    expect((await failure(models)).code).toBe('process_exited');
  });

  test('an unknown input is counted, named with the next result, once, and never sent again', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Pay the bill');
    await settle();
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    await failure(call);
    expect(harness.session.unknownInputs).toBe(1);
    harness.nextChord = () => new FakeChord('d1');
    const next = harness.send('Hello');
    await settle();
    await settle();
    expect(harness.chord.messages).toEqual(['Hello']);
    harness.chord.turn('Hi.');
    const { turn } = finished(await next);
    expect(turn?.warnings).toEqual([expect.stringContaining('Pay the bill')]);
    expect(harness.session.unknownInputs).toBe(0);
    const third = harness.send('Again');
    await settle();
    harness.chord.turn('Hi.');
    expect(finished(await third).turn?.warnings).toEqual([]);
  });

  test('a message that is not waited for says it too', async () => {
    const harness = await Harness.start('d1');
    void harness.send('Pay the bill');
    await settle();
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    harness.nextChord = () => new FakeChord('d1');
    const next = finished(await harness.send('Hello', { waitFor: 'nothing' }));
    expect(next.warnings).toEqual([expect.stringContaining('Pay the bill')]);
  });

  test('a message whose work was seen is not unknown', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x');
    await settle();
    harness.chord.work();
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    await failure(call);
    expect(harness.session.unknownInputs).toBe(0);
  });

  test('with receipts, one that got none is unknown although work was seen', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('one');
    await settle();
    harness.chord.turn('1');
    await first;
    harness.chord.nextReceipt = 'none';
    const call = harness.send('two');
    await settle();
    harness.chord.work();
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    await failure(call);
    expect(harness.session.unknownInputs).toBe(1);
  });

  test('a message that waits for its place goes to the next process, judged by what that one shows', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { whenRequestOpen: 'wait' });
    await settle();
    harness.nextChord = () => {
      const next = new FakeChord('d1');
      next.pendingHandoff = { request_id: 'h1', plan_path: '/p', agents: [] };
      return next;
    };
    chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    await settle();
    expect(harness.starts).toBe(2);
    expect(await isWaiting(call)).toBe(true);
    expect(harness.chord.messages).toEqual([]);
    await harness.handoff('h1', { action: 'cancel' });
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('one that would rather skip does so, by what the next process shows', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { whenRequestOpen: 'skip' });
    await settle();
    harness.nextChord = () => {
      const next = new FakeChord('d1');
      next.pendingHandoff = { request_id: 'h1', plan_path: '/p', agents: [] };
      return next;
    };
    chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    expect(finished(await call).outcome).toBe('skipped');
    expect(harness.chord.messages).toEqual([]);
  });

  test('without a process a message starts one', async () => {
    const harness = await Harness.start('d1', { cold: true });
    harness.nextChord = () => new FakeChord('d1');
    const call = harness.send('x');
    await settle();
    await settle();
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
    expect(harness.starts).toBe(1);
  });
});
