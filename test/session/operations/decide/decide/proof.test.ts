import type { ProfileName } from '../../../../../simulator/wire/profile';
import { failure, isWaiting, settle } from '../../../support/promises';
import { finished, Harness } from '../../../support/Harness';
import { asking, questioning, planning } from '../support/decisions';

describe('how it is proved', () => {
  test.each<[ProfileName, string]>([
    ['d1', 'taken'],
    ['d2', 'taken'],
  ])('confirm on %s: a status that no longer shows it, so %s', async (profile, verified) => {
    const { harness } = await asking(profile);
    const { decision } = await harness.confirm('r1');
    expect(decision).toEqual({
      request_id: 'r1',
      kind: 'confirm',
      action: 'allow',
      responder: null,
      responded_at: null,
      verified_by: verified,
      at: '2030-01-01T00:00:00.000Z',
    });
    expect(await harness.ledger('r1')).toEqual({ state: 'answered', action: 'allow' });
  });

  test('confirm by confirm_resolved', async () => {
    const { harness } = await asking('d3');
    expect((await harness.confirm('r1')).decision.verified_by).toBe('event');
  });

  test('question by question_resolved (protocol B)', async () => {
    const { harness } = await questioning('d2');
    expect((await harness.answer('q1', { answers: ['Red'] })).decision.verified_by).toBe('event');
  });

  test('question by what comes first, its event or its receipt (protocol C)', async () => {
    const { harness } = await questioning('d3');
    expect((await harness.answer('q1', { answers: ['Red'] })).decision.verified_by).toBe('event');
    const { harness: other, chord } = await questioning('d3');
    chord.deaf = true;
    const call = other.answer('q1', { answers: ['Red'] });
    await settle();
    const [line] = chord.of('question');
    chord.reply('question_receipt', { ...line, accepted: true, status: 'answered', version: 2, error: '' });
    expect((await call).decision.verified_by).toBe('receipt');
    expect(await other.ledger('q1')).toEqual({ state: 'answered', action: 'answer' });
  });

  test('an event that announced closings give may come after the status', async () => {
    const { harness, chord } = await questioning('d2');
    chord.deaf = true;
    const call = harness.answer('q1', { answers: ['Red'] });
    chord.questions = [];
    expect(await isWaiting(call)).toBe(true);
    chord.push('question_resolved', { request_id: 'q1', reason: 'answered' });
    expect((await call).decision.verified_by).toBe('event');
  });

  test('and is not waited for for ever', async () => {
    const { harness, chord } = await questioning('d2');
    chord.deaf = true;
    const call = harness.answer('q1', { answers: ['Red'] });
    chord.questions = [];
    await settle();
    await harness.clock.advance(5000);
    expect((await call).decision.verified_by).toBe('taken');
  });

  test('an answer that lost against something else says so', async () => {
    const { harness, chord } = await questioning('d2');
    chord.deaf = true;
    const call = harness.answer('q1', { answers: ['Red'] });
    chord.push('question_resolved', { request_id: 'q1', reason: 'superseded' });
    const error = await failure(call);
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'superseded' });
  });

  test('an answer that was written before a message counts, whatever the message closes', async () => {
    const { harness, chord } = await asking();
    chord.handoffRequest('h1');
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    void harness.send('Never mind.', { whenRequestOpen: 'dismiss', waitFor: 'nothing' });
    await settle();
    chord.answerAll();
    expect((await call).decision).toMatchObject({ action: 'allow', verified_by: 'taken' });
    expect(harness.published('request_closed')).toMatchObject([
      { reason: 'superseded', request: { id: 'h1' } },
    ]);
  });

  test('a message that comes after an answer does not claim to have dismissed its request', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    void harness.confirm('r1');
    await settle();
    const sent = await harness.send('Never mind.', { whenRequestOpen: 'dismiss', waitFor: 'nothing' });
    expect(finished(sent).dismissed).toBeUndefined();
  });

  test('a denial that is told after an earlier message was admitted is the message’s, not ours', async () => {
    const { harness, chord } = await asking('d3');
    chord.push('input_result', { request_id: 'another', status: 'queued' });
    chord.nextReceipt = 'none';
    chord.deaf = true;
    void harness.send('Never mind.', { whenRequestOpen: 'dismiss', waitFor: 'nothing' });
    await settle();
    const call = harness.confirm('r1', { action: 'deny' });
    chord.push('input_result', { request_id: chord.of('send')[0]?.request_id, status: 'queued' });
    chord.push('confirm_resolved', { request_id: 'r1', reason: 'denied' });
    const error = await failure(call);
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'superseded' });
  });

  test.each<[string, ProfileName]>([
    ['confirm', 'd1'],
    ['confirm', 'd2'],
    ['question', 'd1'],
    ['question', 'd2'],
  ])('an answer to a %s after a cancel was written is too late (%s)', async (kind, profile) => {
    const { harness, chord } = await (kind === 'confirm' ? asking(profile) : questioning(profile));
    chord.deaf = true;
    chord.mute = true;
    const cancel = harness.session.cancel();
    const call = kind === 'confirm' ? harness.confirm('r1') : harness.answer('q1', { text: 'Green' });
    await cancel;
    chord.pendingConfirm = null;
    chord.questions = [];
    chord.answerAll();
    const error = await failure(call);
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'cancelled' });
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'cancelled' }]);
  });

  test('a cancel ends neither a handoff nor a durable question', async () => {
    const { harness } = await questioning('d3');
    harness.chord.handoffRequest('h1');
    await harness.session.cancel();
    expect(await harness.open()).toEqual(['q1', 'h1']);
  });

  test('so does one for a handoff that a message took along', async () => {
    const { harness, chord } = await planning('d2');
    chord.deaf = true;
    const call = harness.handoff('h1');
    chord.pendingHandoff = null;
    chord.push('handoff_cancelled', { request_id: 'h1', reason: 'superseded' });
    const error = await failure(call);
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'superseded' });
  });

  test('Chord that still shows it as open: nobody knows', async () => {
    const { harness, chord } = await asking();
    chord.deaf = true;
    expect((await failure(harness.confirm('r1'))).code).toBe('outcome_unknown');
  });

  test('the process ended right then: unknown, and told to the next caller', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    expect((await failure(call)).code).toBe('outcome_unknown');
    expect(harness.session.unknownInputs).toBe(1);
  });

  test('Chord that never reads on: unknown', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    await harness.clock.advance(10_000);
    expect((await failure(call)).code).toBe('outcome_unknown');
  });
});

describe('a status that a push has overtaken proves nothing: it is asked for again', () => {
  const confirm = { request_id: 'r1', tool_name: 'shell', args_json: '{}' };

  test('an approval that was carried out is not unknown', async () => {
    const { harness, chord } = await asking('d2');
    chord.overtaken = [{ pending_confirm: confirm }];
    expect(await harness.confirm('r1')).toMatchObject({ decision: { verified_by: 'taken' } });
    expect(chord.of('confirm')).toHaveLength(1);
    expect(await harness.ledger('r1')).toEqual({ state: 'answered', action: 'allow' });
  });

  test('nor a plan that was accepted, nor a question that was answered', async () => {
    const plan = await planning('d2');
    plan.chord.overtaken = [{ pending_handoff: { request_id: 'h1' } }];
    expect(await plan.harness.handoff('h1')).toMatchObject({ decision: { verified_by: 'taken' } });
    const asked = await questioning('d2');
    asked.chord.overtaken = [{ pending_question: { request_id: 'q1' } }];
    expect(await asked.harness.answer('q1', { answers: ['Red'] })).toMatchObject({
      decision: { action: 'answer' },
    });
  });

  test('a refused answer to a durable question is not unknown, while the question is open', async () => {
    const { harness, chord } = await questioning('d3');
    chord.refusedReceipt = { status: '', error: 'busy, try again' };
    chord.overtaken = [{}];
    const error = await failure(harness.answer('q1', { answers: ['Red'] }));
    expect(error).toMatchObject({ code: 'command_failed', description: 'The question is still open.' });
    expect(await harness.open()).toEqual(['q1']);
  });

  test('one that ended with an error: what the new status tells is what became of the request', async () => {
    const { harness, chord } = await planning('d2');
    chord.refusals = { handoff: 'no matching pending handoff' };
    chord.pendingHandoff = null;
    chord.overtaken = [{ pending_handoff: { request_id: 'h1' } }, { pending_handoff: { request_id: 'h1' } }];
    const decided = failure(harness.handoff('h1'));
    await settle();
    await harness.clock.advance(100);
    expect((await decided).code).toBe('no_longer_pending');
  });

  test('one overtaken again and again: after a pause each time, and within the time of a reply', async () => {
    const { harness, chord } = await asking('d2');
    chord.overtaken = Array.from({ length: 1000 }, () => ({ pending_confirm: confirm }));
    const before = chord.of('status').length;
    const decided = failure(harness.confirm('r1'));
    await settle();
    await harness.clock.advance(10_000);
    expect((await decided).code).toBe('outcome_unknown');
    expect(chord.of('status').length - before).toBeLessThanOrEqual(103);
    expect(await harness.ledger('r1')).toMatchObject({ action: 'allow' });
  });

  test('the first one after a start: what this Chord can do, and what is open, is known all the same', async () => {
    const harness = await Harness.start('d2', {
      prepare: (chord) => {
        chord.pendingHandoff = { request_id: 'h1', agents: [] };
        chord.overtaken = [{ pending_handoff: null }];
      },
    });
    expect(await harness.open()).toEqual(['h1']);
    const { capabilities } = await harness.session.status({ diagnostics: false, includeModels: false });
    expect(capabilities).toMatchObject({ versioned_status: true, roles: true, running_jobs: true });
  });
});
