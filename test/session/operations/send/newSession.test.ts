import type { SwitchRequest } from '../../../../chord/session/contract';
import { sendRequest } from '../../../../chord/session/operations/send/sendRequest';
import { failure, isWaiting, settle } from '../../support/promises';
import { finished, Harness } from '../../support/Harness';

/** What makes a message the first one of a new session, and whether it was written. */
const firstMessage = (needsSession = true) => {
  const first = {
    isWritten: false,
    needsSession: () => needsSession,
    written: () => {
      first.isWritten = true;
    },
  };
  return first;
};

/** Chord tells that it works in a new session. */
const switched = async (harness: Harness, id: string) => {
  harness.chord.push('session_switched', { session_id: id });
  harness.chord.push('toast', { agent_id: '', level: 'info', message: `Started new session ${id}` });
  harness.chord.idle('', { suppress_user_notification: true });
  await settle();
};

const send = (harness: Harness, first = firstMessage(), more = {}) => {
  const sent = harness.session.send(sendRequest('task', { decisions: 'auto', ...more }), {}, first);
  sent.catch(() => undefined);
  return sent;
};

const change = (harness: Harness, more: Partial<SwitchRequest> = {}) =>
  harness.session.switchSession({
    sessionId: '',
    force: false,
    whenRequestOpen: 'fail',
    heldRequests: [],
    callId: '',
    ...more,
  });

describe('a message that is the first one of a new session', () => {
  test('is written when Chord works in that session, and is the next thing that it reads', async () => {
    const harness = await Harness.start('d2');
    const sent = send(harness);
    await settle();
    const joins = harness.send('joins', { whenBusy: 'join' });
    const waits = harness.send('waits');
    await settle();
    expect(harness.chord.messages).toEqual(['/new']);
    await switched(harness, 'S2');
    expect(harness.chord.messages).toEqual(['/new', 'task']);
    harness.chord.work();
    await settle();
    expect(harness.chord.messages).toEqual(['/new', 'task', 'joins']);
    harness.chord.say('done');
    harness.chord.idle();
    expect(finished(await sent)).toMatchObject({ text: 'done', session: { id: 'S2' } });
    expect(finished(await joins)).toMatchObject({ shared: true });
    expect(await isWaiting(waits)).toBe(true);
    expect(harness.chord.messages).toEqual(['/new', 'task', 'joins', 'waits']);
  });

  test('needs none begun where the present one is new still', async () => {
    const harness = await Harness.start('d2');
    const sent = send(harness, firstMessage(false));
    await settle();
    harness.chord.turn('done');
    expect(finished(await sent).text).toBe('done');
    expect(harness.chord.messages).toEqual(['task']);
  });

  test('is not written where Chord announces no new session', async () => {
    const harness = await Harness.start('d2');
    const first = firstMessage();
    const sent = failure(send(harness, first));
    await settle();
    harness.chord.push('toast', { agent_id: '', level: 'warn', message: 'Not now' });
    await settle();
    await harness.clock.advance(2000);
    expect(await sent).toMatchObject({
      code: 'command_failed',
      message: 'Chord was asked to begin a new session but is still working in S1.',
    });
    expect(harness.chord.messages).toEqual(['/new']);
    expect(first.isWritten).toBe(false);
  });

  test('was not written when its time is over before, and the next one may go in', async () => {
    const harness = await Harness.start('d2');
    const sent = failure(send(harness, firstMessage(), { timeoutMs: 1000 }));
    await settle();
    await harness.clock.advance(1000);
    expect(await sent).toMatchObject({ code: 'timeout', facts: { details: { written: false } } });
    void harness.send('next');
    await settle();
    expect(harness.chord.messages).toEqual(['/new', 'next']);
  });

  test('waits until Chord is idle, also where it would join', async () => {
    const harness = await Harness.start('d2');
    harness.chord.work();
    void send(harness, firstMessage(), { whenBusy: 'join' });
    await settle();
    expect(harness.chord.messages).toEqual([]);
    harness.chord.idle();
    await settle();
    expect(harness.chord.messages).toEqual(['/new']);
  });

  test('has nothing of a turn that rests in the session before', async () => {
    const harness = await Harness.start('d3');
    harness.chord.work();
    harness.chord.say('secret of the first session');
    harness.chord.questionRequest('q1');
    harness.chord.push('activity', { agent_id: 'main', type: 'waiting_input', detail: '' });
    harness.chord.idle();
    const sent = send(harness);
    await settle();
    await switched(harness, 'S2');
    harness.chord.turn('of the second');
    const { turn, text } = finished(await sent);
    expect(text).toBe('of the second');
    expect(turn!.messages.map((one) => one.text)).toEqual(['of the second']);
  });
});

describe('a change of the session', () => {
  test('lets no other message in before it is done, and says what was changed', async () => {
    const harness = await Harness.start('d2');
    const changed = change(harness);
    await settle();
    void harness.send('joins', { whenBusy: 'join' });
    await settle();
    expect(harness.chord.messages).toEqual(['/new']);
    await switched(harness, 'S2');
    expect(await changed).toMatchObject({ previous_session_id: 'S1', active_session_id: 'S2' });
    expect(harness.chord.messages).toEqual(['/new', 'joins']);
  });

  test('looks once more what it would disturb when its place has come', async () => {
    const harness = await Harness.start('d2');
    harness.chord.handoffRequest('h1');
    const changed = failure(change(harness, { whenRequestOpen: 'wait' }));
    await settle();
    harness.chord.runningJobs = 1;
    harness.chord.push('handoff_cancelled', { request_id: 'h1', reason: 'superseded' });
    harness.chord.idle();
    expect((await changed).message).toBe('The session was not changed: 1 background job is running.');
    expect(harness.chord.messages).toEqual([]);
  });

  test('names the session that was left when its place has come', async () => {
    const harness = await Harness.start('d2');
    const first = send(harness);
    await settle();
    const changed = change(harness, { force: true });
    await settle();
    await switched(harness, 'S2');
    harness.chord.turn('done');
    await first;
    await settle();
    expect(harness.chord.messages).toEqual(['/new', 'task', '/new']);
    await switched(harness, 'S3');
    expect(await changed).toMatchObject({ previous_session_id: 'S2', active_session_id: 'S3' });
  });

  test('an earlier one that could not be resumed makes the next new one no used one', async () => {
    const harness = await Harness.start('d2');
    const resumed = change(harness, { sessionId: 'S0' });
    await settle();
    harness.chord.push('toast', { agent_id: '', level: 'error', message: 'no such session' });
    await settle();
    await harness.clock.advance(2000);
    expect((await resumed).active_session_id).toBeNull();
    await switched(harness, 'S2');
    expect(harness.sessionChanges.at(-1)).toEqual(['S2', 'empty']);
  });
});
