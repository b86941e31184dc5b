import { failure, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { busy, asking } from '../support/sends';

describe('B66: while a request is open it is judged before busy', () => {
  test.each(['wait', 'join', 'skip', 'fail'] as const)(
    'fail, whatever whenBusy says: %s',
    async (whenBusy) => {
      const { harness, chord } = await asking();
      const error = await failure(harness.send('x', { whenBusy }));
      expect(error).toMatchObject({ code: 'request_open' });
      expect(error.facts).toMatchObject({ requestId: 'r1' });
      expect(chord.messages).toEqual([]);
      expect(await harness.open()).toEqual(['r1']);
    },
  );

  test('skip says which', async () => {
    const { harness, chord } = await asking();
    const result = finished(await harness.send('x', { whenRequestOpen: 'skip' }));
    expect(result.outcome).toBe('skipped');
    expect(result.reason).toContain('confirm r1');
    expect(chord.messages).toEqual([]);
  });

  test('wait: written when the request is closed and the session quiet', async () => {
    const { harness, chord } = await asking();
    const call = harness.send('x', { whenRequestOpen: 'wait' });
    await harness.confirm('r1');
    await settle();
    expect(chord.messages).toEqual([]);
    chord.work();
    chord.idle();
    await settle();
    expect(chord.messages).toEqual(['x']);
    chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('a request that this execution holds is never waited for', async () => {
    const { harness } = await asking();
    const call = harness.send('x', { whenRequestOpen: 'wait', heldRequests: ['r1'] });
    expect((await failure(call)).code).toBe('request_open');
  });

  test.each(['wait', 'join', 'skip', 'fail'] as const)(
    'dismiss writes at once, whatever whenBusy says: %s',
    async (whenBusy) => {
      const { harness, chord } = await asking();
      const call = harness.send('x', { whenRequestOpen: 'dismiss', whenBusy });
      await settle();
      expect(chord.messages).toEqual(['x']);
      expect(await harness.ledger('r1')).toMatchObject({ state: 'superseded' });
      expect(harness.published('request_closed')).toMatchObject([
        { reason: 'superseded', request: { id: 'r1' } },
      ]);
      chord.turn('y');
      expect(finished(await call)).toMatchObject({ text: 'y', shared: true, dismissed: ['r1'] });
    },
  );

  test('judged again when a message that waited gets its turn', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x');
    await settle();
    chord.handoffRequest('h1');
    chord.idle();
    expect((await failure(call)).code).toBe('request_open');
    expect(chord.messages).toEqual([]);
  });

  test('a durable question is no hindrance: a message does not close it', async () => {
    const harness = await Harness.start('d3');
    harness.chord.questionRequest('q1');
    harness.chord.idle();
    const call = harness.send('x');
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    expect(await harness.open()).toEqual(['q1']);
    harness.chord.turn('y');
    await call;
  });

  test('a refused message closes nothing (receipts)', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('one');
    await settle();
    harness.chord.work();
    harness.chord.confirmRequest('r1');
    await first;
    harness.chord.nextReceipt = 'rejected';
    const call = harness.send('x', { whenRequestOpen: 'dismiss' });
    expect((await failure(call)).code).toBe('rejected');
    expect(await harness.open()).toEqual(['r1']);
  });

  test.each(['started', 'queued', 'handled'] as const)('an admitted one does: %s', async (receipt) => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('one');
    await settle();
    harness.chord.work();
    harness.chord.confirmRequest('r1');
    await first;
    harness.chord.nextReceipt = receipt;
    const call = harness.send('/help', { whenRequestOpen: 'dismiss', allowCommands: true });
    await settle();
    expect(await harness.ledger('r1')).toMatchObject({ state: 'superseded' });
    harness.chord.turn('y');
    await call;
  });
});
