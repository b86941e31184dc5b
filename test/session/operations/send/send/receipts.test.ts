import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { busy } from '../support/sends';

describe('receipts', () => {
  test('handled: the result is what was printed', async () => {
    const harness = await Harness.start('d2-receipts');
    harness.chord.nextReceipt = 'none';
    const call = harness.send('/help', { allowCommands: true });
    await settle();
    const [send] = harness.chord.of('send');
    harness.chord.push('info', { agent_id: '', message: 'Commands: …' });
    harness.chord.push('input_result', { request_id: send?.request_id, status: 'handled' });
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'Commands: …' });
  });

  test('handled and a loop: the turn follows', async () => {
    const harness = await Harness.start('d2-receipts');
    harness.chord.nextReceipt = 'handled';
    const call = harness.send('Tidy up', { loop: true });
    expect(await isWaiting(call)).toBe(true);
    harness.chord.turn('Tidied.');
    expect(finished(await call).text).toBe('Tidied.');
  });

  test('rejected says why', async () => {
    const harness = await Harness.start('d2-receipts');
    harness.chord.nextReceipt = 'rejected';
    const error = await failure(harness.send('x'));
    expect(error).toMatchObject({ code: 'rejected' });
    expect(error.message).toContain('not now');
  });

  test('an idle before the receipt is another’s, whatever work was seen', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('one');
    await settle();
    harness.chord.turn('1');
    await first;
    harness.chord.nextReceipt = 'none';
    const call = harness.send('two');
    await settle();
    harness.chord.turn('of a background job');
    await harness.clock.advance(60_000);
    expect(await isWaiting(call)).toBe(true);
    harness.chord.push('input_result', {
      request_id: harness.chord.of('send')[1]?.request_id,
      status: 'started',
      turn_id: 3,
    });
    harness.chord.turn('2');
    expect(finished(await call).text).toBe('2');
  });

  test('queued after a cancel: its turn begins at once', async () => {
    const harness = await Harness.start('d2-receipts');
    harness.chord.nextReceipt = 'queued';
    const call = harness.send('x');
    await settle();
    harness.chord.turn('y');
    expect(finished(await call)).toMatchObject({ text: 'y' });
  });

  test('work that followed the write and ended without a receipt shows that there are none', async () => {
    const harness = await Harness.start('d2');
    const call = harness.send('x');
    await settle();
    harness.chord.turn('y');
    await call;
    const { capabilities } = await harness.session.status({ diagnostics: false, includeModels: false });
    expect(capabilities?.receipts).toBe(false);
  });

  test('every message has an id of its own', async () => {
    const { harness, chord } = await busy();
    void harness.send('a', { whenBusy: 'join' });
    void harness.send('b', { whenBusy: 'join' });
    await settle();
    const ids = chord.of('send').map(({ request_id }) => request_id);
    expect(new Set(ids).size).toBe(2);
  });
});
