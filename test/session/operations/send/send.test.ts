import { ChordError } from '../../../../chord/errors';
import { failure, isWaiting, settle } from '../../support/promises';
import { finished, Harness } from '../../support/Harness';
import type { SendRequest } from '../../../../chord/session/contract';
import { FakeChord } from '../../support/FakeChord';

/** A session whose agent works for somebody else. */
async function busy(profile: Parameters<typeof Harness.start>[0] = 'd1') {
  const harness = await Harness.start(profile);
  harness.chord.work();
  return { harness, chord: harness.chord };
}

/** A session with an open confirm. */
async function asking(profile: Parameters<typeof Harness.start>[0] = 'd1') {
  const { harness, chord } = await busy(profile);
  chord.confirmRequest('r1');
  return { harness, chord };
}

describe('while Chord is busy', () => {
  test('wait: written once it is idle, in order, each with its own turn', async () => {
    const { harness, chord } = await busy();
    const calls = ['one', 'two', 'three'].map((message) => harness.send(message));
    await settle();
    expect(chord.messages).toEqual([]);
    expect((await harness.session.status({ diagnostics: false, includeModels: false })).queued_sends).toBe(3);
    chord.idle();
    for (const [at, text] of ['1', '2', '3'].entries()) {
      await settle();
      expect(chord.messages).toHaveLength(at + 1);
      chord.turn(text);
      expect(finished(await calls[at]!).text).toBe(text);
    }
    expect(chord.messages).toEqual(['one', 'two', 'three']);
  });

  test('B56: of two messages at once on an idle session the second waits', async () => {
    const harness = await Harness.start('d1');
    const calls = [harness.send('one'), harness.send('two')];
    await settle();
    expect(harness.chord.messages).toEqual(['one']);
    harness.chord.turn('1');
    expect(await isWaiting(calls[1]!)).toBe(true);
    harness.chord.turn('2');
    expect(finished(await calls[0]!).text).toBe('1');
    expect(finished(await calls[1]!).text).toBe('2');
  });

  test('join: written at once, the result is shared and says so', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('one');
    await settle();
    harness.chord.work();
    const second = harness.send('two', { whenBusy: 'join' });
    await settle();
    expect(harness.chord.messages).toEqual(['one', 'two']);
    harness.chord.work();
    harness.chord.say('both');
    harness.chord.idle();
    expect(finished(await second)).toMatchObject({ text: 'both', shared: true });
    expect(finished(await first)).toMatchObject({ text: 'both' });
    expect(finished(await first).shared).toBeUndefined();
  });

  test('B56: an idle that was on its way when the message joined is not its own', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    chord.idle();
    expect(await isWaiting(call)).toBe(true);
    chord.turn('two');
    expect(finished(await call)).toMatchObject({ text: 'two' });
  });

  test('one that the running turn took in without more work ends with that turn', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    chord.idle();
    await harness.clock.advance(5000);
    expect(finished(await call)).toMatchObject({ outcome: 'completed', shared: true });
  });

  test('one that a cancel swallowed ends with it', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('two', { whenBusy: 'join' });
    await settle();
    await harness.session.cancel();
    chord.idle('cancelled');
    expect(finished(await call).outcome).toBe('cancelled');
  });

  test('a status that shows it at rest lets the next message in, as an idle does', async () => {
    const harness = await Harness.start('d1', { prepare: (chord) => (chord.busy = true) });
    const call = harness.send('x');
    await settle();
    expect(harness.chord.messages).toEqual([]);
    harness.chord.busy = false;
    await harness.session.status({ diagnostics: false, includeModels: false });
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('skip: nothing is written, and the reason is said', async () => {
    const { harness, chord } = await busy();
    const result = finished(await harness.send('x', { whenBusy: 'skip' }));
    expect(result).toMatchObject({ outcome: 'skipped', turn: null });
    expect(result.reason).toContain('busy');
    expect(chord.messages).toEqual([]);
  });

  test('fail', async () => {
    const { harness, chord } = await busy();
    expect((await failure(harness.send('x', { whenBusy: 'fail' }))).code).toBe('session_busy');
    expect(chord.messages).toEqual([]);
  });

  test('an open local shell counts as busy', async () => {
    const harness = await Harness.start('d1');
    harness.chord.mute = true;
    const shell = harness.session.shell('sleep 9');
    await settle();
    const call = harness.send('x');
    await settle();
    expect(harness.chord.messages).toEqual([]);
    harness.chord.answerAll();
    await shell;
    await settle();
    expect(harness.chord.messages).toEqual(['x']);
    harness.chord.turn('y');
    await call;
  });
});

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
      expect(harness.told('request_closed')).toMatchObject([{ reason: 'superseded', request: { id: 'r1' } }]);
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

describe('not waiting', () => {
  test('gives sent, and the next message waits until it was taken up', async () => {
    const harness = await Harness.start('d1');
    expect(finished(await harness.send('one', { waitFor: 'nothing' }))).toMatchObject({
      outcome: 'sent',
      turn: null,
    });
    const second = harness.send('two');
    await settle();
    expect(harness.chord.messages).toEqual(['one']);
    harness.chord.turn('1');
    await settle();
    expect(harness.chord.messages).toEqual(['one', 'two']);
    harness.chord.turn('2');
    expect(finished(await second).text).toBe('2');
  });

  test('gives queued when it joined a running turn', async () => {
    const { harness } = await busy();
    const call = harness.send('x', { waitFor: 'nothing', whenBusy: 'join' });
    expect(finished(await call).outcome).toBe('queued');
  });

  test('wait holds the node until the line is written', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { waitFor: 'nothing' });
    expect(await isWaiting(call)).toBe(true);
    chord.idle();
    expect(finished(await call).outcome).toBe('sent');
  });

  test('names what it dismissed', async () => {
    const { harness } = await asking();
    const call = harness.send('x', { waitFor: 'nothing', whenRequestOpen: 'dismiss' });
    expect(finished(await call).dismissed).toEqual(['r1']);
  });

  test('a message that Chord never takes up gives its place free after a while', async () => {
    const harness = await Harness.start('d1');
    await harness.send('one', { waitFor: 'nothing' });
    const second = harness.send('two');
    expect(await isWaiting(second)).toBe(true);
    await harness.clock.advance(5000);
    expect(harness.chord.messages).toEqual(['one', 'two']);
  });
});

describe('time limit and stop', () => {
  test('runs from the call on, also while it waits for its place; nothing was written', async () => {
    const { harness, chord } = await busy();
    const call = harness.send('x', { timeoutMs: 1000 });
    await harness.clock.advance(1000);
    const error = await failure(call);
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error.facts.details).toMatchObject({ written: false });
    chord.idle();
    await settle();
    expect(chord.messages).toEqual([]);
  });

  test('says that it was written', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', { timeoutMs: 1000 });
    await settle();
    await harness.clock.advance(1000);
    expect((await failure(call)).facts.details).toMatchObject({ written: true });
  });

  test('B55: a stopped execution ends its wait at once, and the turn goes on', async () => {
    const harness = await Harness.start('d1');
    const stop = new AbortController();
    const call = harness.send('x', {}, { signal: stop.signal });
    await settle();
    harness.chord.work();
    stop.abort();
    expect((await failure(call)).code).toBe('interrupted');
    await settle();
    expect(harness.chord.of('cancel')).toEqual([]);
    expect(harness.session.attached).toBe(true);
  });

  test('a call that was stopped before it began writes nothing', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', {}, { signal: AbortSignal.abort() });
    expect((await failure(call)).code).toBe('interrupted');
    await settle();
    expect(harness.chord.messages).toEqual([]);
  });

  const cancelling: Partial<SendRequest> = { cancelOnTimeout: true, cancelOnStop: true, timeoutMs: 1000 };

  test('cancels its own running turn when asked', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', cancelling);
    await settle();
    harness.chord.work();
    await harness.clock.advance(1000);
    await failure(call);
    expect(harness.chord.of('cancel')).toHaveLength(1);
  });

  test('B55: cancels on stop only with the option', async () => {
    const harness = await Harness.start('d1');
    const stop = new AbortController();
    const call = harness.send('x', { cancelOnStop: true }, { signal: stop.signal });
    await settle();
    harness.chord.work();
    stop.abort();
    await failure(call);
    expect(harness.chord.of('cancel')).toHaveLength(1);
  });

  test.each([
    ['that waits for its place', { ...cancelling }],
    ['that joined another', { ...cancelling, whenBusy: 'join' as const }],
  ])('never another’s: one %s', async (_, options) => {
    const { harness, chord } = await busy();
    const call = harness.send('x', options);
    await settle();
    await harness.clock.advance(1000);
    expect((await failure(call)).code).toBe('timeout');
    expect(chord.of('cancel')).toEqual([]);
  });

  test('not while nothing runs: it would spoil the next turn', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x', cancelling);
    await settle();
    await harness.clock.advance(1000);
    await failure(call);
    expect(harness.chord.of('cancel')).toEqual([]);
  });

  test('the end of n8n interrupts every wait', async () => {
    const { harness } = await busy();
    const waiting = harness.send('x');
    await settle();
    harness.session.interrupt('n8n shuts down');
    expect((await failure(waiting)).code).toBe('interrupted');
  });
});

describe('what is refused before anything is written', () => {
  test.each([
    ['nothing', '', {}, 'empty_message'],
    ['blanks of Go and JavaScript', ' \u0085\ufeff\n', {}, 'empty_message'],
    ['a command', '/new', {}, 'command_not_allowed'],
    ['a command behind a blank of Go only', '\u0085/new', {}, 'command_not_allowed'],
    ['a command behind a no-break space', '\u00a0/new', {}, 'command_not_allowed'],
    ['a command as a loop', '/new', { loop: true, allowCommands: true }, 'command_not_allowed'],
  ])('%s', async (_, message, more, code) => {
    const harness = await Harness.start('d1');
    expect((await failure(harness.send(message, more))).code).toBe(code);
    expect(harness.chord.written).toEqual([]);
  });

  test('B77: a line over 1 MiB, counted in UTF-8 bytes; a Status beside it is unharmed', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('é'.repeat(600_000));
    const error = await failure(call);
    expect(error.code).toBe('message_too_long');
    expect(error.message).toMatch(/1200\d\d\d bytes/);
    expect(error.message).toContain('1048576');
    const status = await harness.session.status({ diagnostics: false, includeModels: false });
    expect(status.running).toBe(true);
    expect(harness.chord.written).toEqual([]);
  });

  test('B77: one of 1,048,000 bytes passes', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('x'.repeat(1_048_000));
    await settle();
    expect(harness.chord.messages).toHaveLength(1);
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test.each(['/role planner', '/help', '/stats', '/nonsense'])(
    'on D1 %s would reach the model as text',
    async (message) => {
      const harness = await Harness.start('d1');
      expect((await failure(harness.send(message, { allowCommands: true }))).code).toBe('not_supported');
      expect(harness.chord.written).toEqual([]);
    },
  );

  test('nothing more once a transfer was announced, also for one that waits', async () => {
    const { harness, chord } = await busy('d3');
    const waiting = harness.send('x');
    await settle();
    chord.push('session_transfer_preparing', {});
    chord.idle();
    expect((await failure(waiting)).code).toBe('session_busy');
    expect((await failure(harness.send('y'))).code).toBe('session_busy');
    expect(chord.messages).toEqual([]);
  });
});

describe('slash commands without receipts (D1)', () => {
  const allowed = { allowCommands: true };

  test('what was printed ends it at once', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/models', allowed);
    await settle();
    harness.chord.push('info', { agent_id: '', message: 'Model pool: alpha' });
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'Model pool: alpha', turn: null });
    expect(harness.session.isIdle).toBe(true);
  });

  test('nothing at all: handled after 2 s and a status that is not busy', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/models beta', allowed);
    expect(await isWaiting(call)).toBe(true);
    await harness.clock.advance(2000);
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: '' });
  });

  test('one that works for long without a turn ends with its idle', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('/compact', allowed);
    await settle();
    harness.chord.push('activity', { agent_id: 'main', type: 'compacting', detail: 'context' });
    await harness.clock.advance(2000);
    expect(await isWaiting(call)).toBe(true);
    harness.chord.push('info', { agent_id: '', message: 'Made shorter.' });
    harness.chord.idle('');
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'Made shorter.' });
  });

  test.each([
    [
      'a command error',
      (chord: FakeChord) => chord.reply('error', { message: '/resume needs the terminal' }),
    ],
    [
      'a runtime error',
      (chord: FakeChord) => chord.push('error', { agent_id: '', message: 'session not found' }),
    ],
  ])('%s is an error', async (_, refuse) => {
    const harness = await Harness.start('d1');
    harness.chord.mute = true;
    const call = harness.send('/resume 19990101', allowed);
    await settle();
    refuse(harness.chord);
    harness.chord.answerAll();
    expect((await failure(call)).code).toBe('command_failed');
  });

  test('/loop on is a turn: its first info ends nothing', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Tidy up', { loop: true });
    await settle();
    expect(harness.chord.messages).toEqual(['/loop on Tidy up']);
    harness.chord.push('info', { agent_id: '', message: 'Loop enabled.' });
    expect(await isWaiting(call)).toBe(true);
    harness.chord.turn('Tidied.');
    expect(finished(await call)).toMatchObject({ outcome: 'completed', text: 'Tidied.' });
  });

  test('/loop on after which no turn comes ends with what was printed', async () => {
    const harness = await Harness.start('d1');
    const call = harness.send('Tidy up', { loop: true });
    await settle();
    harness.chord.push('toast', { agent_id: '', level: 'warn', message: 'This role has no loop.' });
    await harness.clock.advance(2000);
    expect(finished(await call)).toMatchObject({ outcome: 'handled', text: 'This role has no loop.' });
  });

  test.each<[string, (chord: FakeChord) => void]>([
    ['an error', (chord) => chord.push('error', { agent_id: '', message: 'session not found' })],
    [
      'a notice',
      (chord) => chord.push('toast', { agent_id: '', level: 'warn', message: 'No such session.' }),
    ],
  ])('after a resume that failed by %s the next new session is none that was used', async (_, refuse) => {
    const harness = await Harness.start('d1');
    const failed = harness.send('/resume 19990101', allowed);
    failed.catch(() => undefined);
    await settle();
    refuse(harness.chord);
    harness.chord.idle('');
    await failed.catch(() => undefined);
    // Not asked for by a message of ours.
    harness.chord.push('toast', { agent_id: '', level: 'info', message: 'Started new session S2' });
    expect(harness.sessionChanges.at(-1)).toEqual(['S2', 'empty']);
  });

  test('a switched session is noted as used when it is resumed, as empty when it is new', async () => {
    const harness = await Harness.start('d1');
    for (const [command, toast] of [
      ['/new', 'Started new session S2'],
      ['/resume S1', 'Resumed session from S1: 8 messages restored'],
    ] as const) {
      const call = harness.send(command, allowed);
      await settle();
      harness.chord.push('toast', { agent_id: '', level: 'info', message: toast });
      harness.chord.idle('');
      await call;
    }
    expect(harness.sessionChanges).toEqual([
      ['S1', 'empty'],
      ['S2', 'empty'],
      ['S1', 'used'],
    ]);
  });
});

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

describe('notes', () => {
  test('a second call of the same name returns what the first came to, and writes nothing', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('x', { callId: '1/Send/0/0' });
    const beside = harness.send('x', { callId: '1/Send/0/0' });
    await settle();
    harness.chord.turn('y');
    expect(finished(await first).text).toBe('y');
    expect(await beside).toEqual(await first);
    expect(await harness.send('x', { callId: '1/Send/0/0' })).toEqual(await first);
    expect(harness.chord.messages).toEqual(['x']);
  });

  test('one that was written and failed returns its failure', async () => {
    const harness = await Harness.start('d1');
    const first = harness.send('x', { callId: '1', timeoutMs: 10 });
    await settle();
    await harness.clock.advance(10);
    await failure(first);
    expect((await failure(harness.send('x', { callId: '1' }))).code).toBe('timeout');
    expect(harness.chord.messages).toEqual(['x']);
  });

  test('one whose line could not be written may try again', async () => {
    const harness = await Harness.start('d1');
    const write = jest
      .spyOn(harness.chord.transport, 'write')
      .mockRejectedValue(new ChordError('write_failed', 'x'));
    expect((await failure(harness.send('x', { callId: '1' }))).code).toBe('write_failed');
    write.mockRestore();
    expect(harness.session.isIdle).toBe(true);
    const call = harness.send('x', { callId: '1' });
    await settle();
    harness.chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });

  test('one that wrote nothing may try again', async () => {
    const { harness, chord } = await busy();
    await failure(harness.send('x', { callId: '1', whenBusy: 'fail' }));
    finished(await harness.send('x', { callId: '1', whenBusy: 'skip' }));
    chord.idle();
    const call = harness.send('x', { callId: '1' });
    await settle();
    chord.turn('y');
    expect(finished(await call).text).toBe('y');
  });
});

test('B53: two sessions keep their events, waiters and equal request ids apart', async () => {
  const [a, b] = [await Harness.start('d1'), await Harness.start('d1')];
  const calls = [a.send('a'), b.send('b')];
  await settle();
  a.chord.work();
  a.chord.confirmRequest('r1');
  b.chord.work();
  b.chord.say('of b');
  b.chord.idle();
  expect((await calls[0])?.kind).toBe('needs_decision');
  expect(finished((await calls[1])!).text).toBe('of b');
  expect(b.told('confirm_request')).toEqual([]);
  expect((await failure(b.confirm('r1', { fromItem: false }))).code).toBe('unknown_request');
  expect(await a.open()).toEqual(['r1']);
});
