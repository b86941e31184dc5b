import type { LocalCommandRequest } from '../../../chord/session/contract';
import { heldInputs } from '../../../chord/session/state/heldInputs';
import { Harness, finished } from '../support/Harness';
import { FakeChord } from '../support/FakeChord';
import { failure, settle } from '../support/promises';

const status = (harness: Harness) => harness.session.status({ diagnostics: false, includeModels: false });

const loopOff: LocalCommandRequest = {
  command: 'loop_off',
  whenRequestOpen: 'fail',
  heldRequests: [],
  callId: '',
};

/** A message of which Chord says that it does not know what became of it. */
async function unknown(harness: Harness, text = 'Pay the bill') {
  harness.chord.nextReceipt = 'none';
  const call = failure(harness.send(text, { whenRequestOpen: 'dismiss' }));
  await settle();
  const { request_id } = harness.chord.of('send').at(-1)!;
  harness.chord.reply('input_result', { request_id, status: 'unknown', message: 'commit failed' });
  return { error: await call, request_id };
}

describe('a message of which Chord does not know what became', () => {
  test('ends the wait with an error of its own, and is counted', async () => {
    const harness = await Harness.start('d2-receipts');
    const { error, request_id } = await unknown(harness);
    expect(error).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining('commit failed'),
    });
    expect(await status(harness)).toMatchObject({
      unknown_inputs: 1,
      unknown_input_list: [
        {
          kind: 'message',
          request_id,
          text: 'the message "Pay the bill"',
          since: new Date(harness.clock.now()).toISOString(),
        },
      ],
    });
  });

  test('closes nothing', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    await first;
    harness.chord.work();
    harness.chord.confirmRequest('r1');
    await settle();
    await unknown(harness);
    expect(await harness.ledger('r1')).toMatchObject({ state: 'open' });
  });

  test('takes no turn of somebody else for its own', async () => {
    const harness = await Harness.start('d2-receipts');
    const { error } = await unknown(harness);
    harness.chord.turn('This is another answer.');
    expect(error.code).toBe('outcome_unknown');
    harness.chord.nextReceipt = 'started';
    const next = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    expect(finished(await next).text).toBe('Hi.');
  });

  test('is counted until a person acknowledges it, over a new process too', async () => {
    const harness = await Harness.start('d2-receipts');
    await unknown(harness);
    harness.chord.transport.exit({ exitCode: 0, signal: null, expected: false });
    await harness.attach(new FakeChord('d2-receipts'));
    expect(harness.session.unknownInputs).toBe(1);
    expect(await harness.session.acknowledge()).toEqual({
      unknown_inputs: [expect.objectContaining({ text: 'the message "Pay the bill"' })],
      transfer_lifted: false,
    });
    expect(harness.session.unknownInputs).toBe(0);
    expect(await harness.session.acknowledge()).toEqual({ unknown_inputs: [], transfer_lifted: false });
  });

  test('a command ends so too', async () => {
    const harness = await Harness.start('d2-receipts');
    harness.chord.nextReceipt = 'none';
    const call = failure(harness.session.command(loopOff));
    await settle();
    const { request_id } = harness.chord.of('send').at(-1)!;
    harness.chord.reply('input_result', { request_id, status: 'unknown' });
    expect(await call).toMatchObject({ code: 'outcome_unknown' });
    expect(harness.session.unknownInputs).toBe(1);
  });

  test('a command neither, whatever is printed before Chord says so', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    await first;
    harness.chord.work();
    harness.chord.confirmRequest('r1');
    await settle();
    harness.chord.nextReceipt = 'none';
    const call = failure(harness.session.command({ ...loopOff, whenRequestOpen: 'dismiss' }));
    await settle();
    const { request_id } = harness.chord.of('send').at(-1)!;
    harness.chord.push('toast', { message: 'A tool server is ready.' });
    await settle();
    harness.chord.reply('input_result', { request_id, status: 'unknown' });
    expect(await call).toMatchObject({ code: 'outcome_unknown' });
    expect(harness.session.unknownInputs).toBe(1);
    expect(await harness.ledger('r1')).toMatchObject({ state: 'open' });
  });

  test('a command whose receipt never comes ends with the process', async () => {
    const harness = await Harness.start('d2-receipts');
    const first = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    await first;
    harness.chord.nextReceipt = 'none';
    const call = failure(harness.session.command(loopOff));
    await settle();
    harness.chord.push('toast', { message: 'A tool server is ready.' });
    await settle();
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    expect(harness.session.unknownInputs).toBe(1);
    // At once, so that a new process never hides that this one is gone.
    await harness.attach(new FakeChord('d2-receipts'));
    await harness.clock.advance(60_000);
    expect(await call).toMatchObject({ code: 'process_exited' });
  });
});

describe('messages that Chord restored and holds', () => {
  const held = {
    entries: [
      { id: 'a', state: 'restored_held' },
      { id: 'b', state: 'queued' },
    ],
  };

  test('nothing is sent that would set them free, unless that is wanted', async () => {
    const harness = await Harness.start('d3');
    harness.chord.push('input_queue_changed', held);
    await settle();
    expect(await failure(harness.send('Hello'))).toMatchObject({
      code: 'inputs_held',
      facts: { details: { held_inputs: 1 } },
    });
    expect(await failure(harness.session.command(loopOff))).toMatchObject({ code: 'inputs_held' });
    expect(await failure(harness.session.command({ ...loopOff, command: 'compact' }))).toMatchObject({
      code: 'inputs_held',
    });
    expect(harness.chord.messages).toEqual([]);

    const call = harness.send('Hello', { releaseHeld: true });
    await settle();
    harness.chord.turn('Hi.');
    expect(finished(await call).text).toBe('Hi.');
  });

  test('a forced change of the session cancels nothing either before it is refused', async () => {
    const harness = await Harness.start('d3');
    harness.chord.work();
    harness.chord.push('input_queue_changed', held);
    await settle();
    const change = harness.session.switchSession({
      sessionId: '',
      force: true,
      whenRequestOpen: 'fail',
      heldRequests: [],
      callId: '',
    });
    expect(await failure(change)).toMatchObject({ code: 'inputs_held' });
    expect(harness.chord.of('cancel')).toEqual([]);
  });

  test('a status tells of them too, and says nothing where it has no queue', async () => {
    const harness = await Harness.start('d3', {
      prepare: (chord) => {
        chord.statusMore = { input_queue: held };
      },
    });
    expect(await failure(harness.send('Hello'))).toMatchObject({ code: 'inputs_held' });
    harness.chord.statusMore = {};
    harness.chord.tellStatus();
    await settle();
    expect(await failure(harness.send('Hello'))).toMatchObject({ code: 'inputs_held' });
    harness.chord.tellStatus({ input_queue: [] });
    await settle();
    const call = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    expect(finished(await call).text).toBe('Hi.');
  });

  test('in another session the queue of the former one says nothing', async () => {
    const harness = await Harness.start('d3');
    harness.chord.push('input_queue_changed', held);
    harness.chord.push('session_switched', { session_id: 'S2' });
    await settle();
    const call = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    expect(finished(await call).text).toBe('Hi.');
  });

  test('an empty queue holds nothing, nor does a new process that has told of none', async () => {
    const harness = await Harness.start('d3');
    harness.chord.push('input_queue_changed', held);
    harness.chord.push('input_queue_changed', { entries: [] });
    await settle();
    const call = harness.send('Hello');
    await settle();
    harness.chord.turn('Hi.');
    await call;
    harness.chord.push('input_queue_changed', held);
    harness.chord.transport.exit({ exitCode: 0, signal: null, expected: false });
    await harness.attach(new FakeChord('d3'));
    const again = harness.send('Again');
    await settle();
    harness.chord.turn('Yes.');
    expect(finished(await again).text).toBe('Yes.');
  });

  test.each<[unknown, number | null]>([
    [undefined, null],
    [{ view_version: 3 }, null],
    [{ view_version: 3, queue: [] }, 0],
    [{ queue: { main: [{ status: 'restored_held' }], later: [{ status: 'restored_held' }] } }, 2],
    [{ queue: [{ content: 'restored_held?' }, 'restored_held', null] }, 0],
  ])('%j: %j', (projection, count) => {
    expect(heldInputs(projection)).toBe(count);
  });
});
