import { failure, settle } from '../../../support/promises';
import { asking, questioning, planning } from '../support/decisions';

describe('answers that did not reach Chord', () => {
  test('a line that could not be written leaves the request open, and the call unnoted', async () => {
    const { harness, chord } = await asking();
    const write = jest.spyOn(chord.transport, 'write').mockRejectedValue(new Error('EPIPE'));
    const error = await failure(harness.confirm('r1', { callId: '1' }));
    expect(error.code).toBe('not_delivered');
    expect(await harness.open()).toEqual(['r1']);
    write.mockRestore();
    expect((await harness.confirm('r1', { callId: '1' })).decision.action).toBe('allow');
  });

  test('a refused rule keeps the request open, and it can be answered again', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 60_000 });
    chord.refusals = { confirm: 'rule_scope needs rule_pattern' };
    const rule = { pattern: 'git *', scope: 'session' as const };
    const error = await failure(harness.confirm('r1', { rule, callId: '1' }));
    expect(error).toMatchObject({ code: 'command_failed' });
    expect(error.message).toContain('rule_scope needs rule_pattern');
    expect(await harness.open()).toEqual(['r1']);
    await harness.confirm('r1', { callId: '1' });
    expect(chord.of('confirm')).toHaveLength(2);
  });

  test('its time goes on after a refusal', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 60_000 });
    chord.refusals = { confirm: 'no' };
    await failure(harness.confirm('r1'));
    await harness.clock.advance(60_000);
    expect(await harness.ledger('r1')).toMatchObject({ state: 'expired' });
  });

  test('B71: an error without an id fails that handoff, not a neighbour’s status', async () => {
    const { harness, chord } = await planning();
    chord.refusals = { handoff: 'handoff target is not available' };
    const status = harness.session.status({ diagnostics: false, includeModels: false });
    const call = harness.handoff('h1');
    const after = harness.session.status({ diagnostics: false, includeModels: false });
    expect((await failure(call)).code).toBe('command_failed');
    expect((await status).running).toBe(true);
    expect((await after).open_requests).toMatchObject([{ id: 'h1' }]);
  });

  test('an error belongs to the answer that caused it, not to one beside it', async () => {
    const { harness, chord } = await asking();
    chord.handoffRequest('h1');
    chord.refusals = { handoff: 'not available' };
    const confirm = harness.confirm('r1');
    const handoff = harness.handoff('h1');
    expect((await confirm).decision.action).toBe('allow');
    expect((await failure(handoff)).code).toBe('command_failed');
  });

  test('protocol B: an error about a question that is gone says that it is gone', async () => {
    const { harness, chord } = await questioning('d2');
    chord.questions = [];
    const error = await failure(harness.answer('q1', { answers: ['Red'] }));
    expect(error.code).toBe('no_longer_pending');
  });
});

describe('receipts that refuse (protocol C)', () => {
  test.each([
    ['answered', 'already_answered', 'answered'],
    ['defaulted', 'no_longer_pending', 'defaulted'],
    ['no_response', 'no_longer_pending', 'expired'],
  ])('the question has ended as %s', async (status, code, state) => {
    const { harness, chord } = await questioning('d3');
    chord.refusedReceipt = { status, error: `already ${status}` };
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe(code);
    expect(await harness.ledger('q1')).toMatchObject({ state });
  });

  test('it is still open: the answer may be given again', async () => {
    const { harness, chord } = await questioning('d3');
    chord.refusedReceipt = { status: '', error: 'busy, try again' };
    const error = await failure(harness.answer('q1', { answers: ['Red'], callId: '1' }));
    expect(error.code).toBe('command_failed');
    expect(error.message).toContain('busy, try again');
    expect(await harness.open()).toEqual(['q1']);
    const { decision } = await harness.answer('q1', { answers: ['Red'], callId: '1' });
    expect(decision.action).toBe('answer');
  });

  test('nothing tells: unknown until a status does', async () => {
    const { harness, chord } = await questioning('d3');
    chord.refusedReceipt = { status: '', error: 'persistence requires session recovery' };
    chord.statusMore = { pending_questions: [], questions: [], question_binding_id: '' };
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe('outcome_unknown');
    expect(await harness.ledger('q1')).toMatchObject({ state: 'unknown' });
    chord.statusMore = {};
    await harness.session.status({ diagnostics: false, includeModels: false });
    expect(await harness.open()).toEqual(['q1']);
  });

  test('asks for this question by its id', async () => {
    const { harness, chord } = await questioning('d3');
    await harness.answer('q1', { answers: ['Red'] });
    await settle();
    expect(chord.of('status').at(-1)?.question_ids).toEqual(['q1']);
  });
});
