import type { ConfirmDecision, HandoffDecision, QuestionAnswer } from '../../../../chord/session/contract';
import type { ProfileName } from '../../../../simulator/wire/profile';
import { failure, isWaiting, settle } from '../../support/promises';
import { finished, Harness } from '../../support/Harness';
import { FakeChord } from '../../support/FakeChord';

async function asking(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.confirmRequest('r1', more);
  return { harness, chord: harness.chord };
}

async function questioning(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.questionRequest('q1', more);
  return { harness, chord: harness.chord };
}

async function planning(profile: ProfileName = 'd1', more: Record<string, unknown> = {}) {
  const harness = await Harness.start(profile);
  harness.chord.work();
  harness.chord.handoffRequest('h1', more);
  harness.chord.idle();
  return { harness, chord: harness.chord };
}

describe('what is written', () => {
  test.each<[string, Partial<ConfirmDecision>, object]>([
    ['allow', {}, { action: 'allow' }],
    [
      'deny with a reason',
      { action: 'deny', denyReason: 'not on a Friday' },
      { action: 'deny', deny_reason: 'not on a Friday' },
    ],
    [
      'deny, whatever goes with an approval only',
      { action: 'deny', editedArguments: '{', rule: { pattern: ' ', scope: 'world' as never } },
      { action: 'deny' },
    ],
    ['allow, whatever goes with a denial only', { denyReason: 'x'.repeat(1_048_576) }, { action: 'allow' }],
    [
      'edited arguments',
      { editedArguments: '{"command":"ls"}', editSummary: 'safer' },
      { action: 'allow', final_args_json: '{"command":"ls"}', edit_summary: 'safer' },
    ],
    [
      'a rule',
      { rule: { pattern: 'git *', scope: 'project' } },
      { action: 'allow', rule_pattern: 'git *', rule_scope: 'project' },
    ],
  ])('confirm: %s', async (_, decision, line) => {
    const { harness, chord } = await asking();
    await harness.confirm('r1', decision);
    expect(chord.written).toEqual([{ type: 'confirm', request_id: 'r1', ...line }]);
  });

  test.each<[string, Partial<QuestionAnswer>, object]>([
    ['by label', { answers: ['Blue'] }, { answers: ['Blue'], reason: 'answered', cancelled: false }],
    ['by number', { answers: ['2'] }, { answers: ['Blue'], reason: 'answered', cancelled: false }],
    ['own words', { text: 'Green' }, { answers: ['Green'], reason: 'answered', cancelled: false }],
    ['decline', { action: 'decline' }, { answers: [], reason: 'declined', cancelled: true }],
  ])('question, one line for protocols A and B: %s', async (_, answer, line) => {
    for (const profile of ['d1', 'd2'] as const) {
      const { harness, chord } = await questioning(profile);
      await harness.answer('q1', answer);
      expect(chord.written).toEqual([{ type: 'question', request_id: 'q1', ...line }]);
    }
  });

  test.each<[string, Partial<QuestionAnswer>, object]>([
    ['by label', { answers: ['Blue'] }, { action: 'answer', answers: ['blue'] }],
    ['by option id', { answers: ['blue'] }, { action: 'answer', answers: ['blue'] }],
    ['by number', { answers: ['1'] }, { action: 'answer', answers: ['red'] }],
    ['own words', { text: 'Green' }, { action: 'answer', answers: ['Green'], custom: true }],
    ['decline', { action: 'decline' }, { action: 'decline' }],
  ])('question, protocol C: %s', async (_, answer, line) => {
    const { harness, chord } = await questioning('d3');
    await harness.answer('q1', answer);
    expect(chord.written).toEqual([
      { type: 'question', request_id: 'q1', operation_id: expect.any(String) as string, ...line },
    ]);
  });

  test('B65: several answers stay a list, and a comma cuts none', async () => {
    const { harness, chord } = await questioning('d1', { options: ['A', 'B', 'C, D'], multiple: true });
    await harness.answer('q1', { answers: ['A', 'C, D'] });
    expect(chord.of('question')).toMatchObject([{ answers: ['A', 'C, D'] }]);
  });

  test.each<[string, Partial<HandoffDecision>, object]>([
    ['the marked default', {}, { action: 'accept', agent: 'builder' }],
    [
      'a named agent and pool',
      { agent: 'helper', pool: 'alpha' },
      { action: 'accept', agent: 'helper', pool: 'alpha' },
    ],
    ['deny', { action: 'deny', denyReason: 'add a step' }, { action: 'deny', deny_reason: 'add a step' }],
    ['cancel', { action: 'cancel' }, { action: 'cancel' }],
  ])('handoff: %s', async (_, decision, line) => {
    const { harness, chord } = await planning();
    await harness.handoff('h1', decision);
    expect(chord.written).toEqual([{ type: 'handoff', request_id: 'h1', ...line }]);
  });

  test('handoff: the only agent needs no mark', async () => {
    const { harness, chord } = await planning('d1', { agents: [{ name: 'solo', default: false }] });
    await harness.handoff('h1');
    expect(chord.of('handoff')).toMatchObject([{ agent: 'solo' }]);
  });
});

describe('what is refused before anything is written', () => {
  const list = [{ name: 'a' }, { name: 'b' }];

  test.each<[string, Partial<ConfirmDecision>, string]>([
    ['B64: another word', { action: 'allow_once' as never }, 'no_decision'],
    ['B64: nothing', { action: '' as never }, 'no_decision'],
    ['arguments that are no JSON', { editedArguments: '{' }, 'invalid_answer'],
    ['arguments that are no object', { editedArguments: '[1]' }, 'invalid_answer'],
    ['a rule without a pattern', { rule: { pattern: ' ', scope: 'session' } }, 'invalid_answer'],
    ['a rule of an unknown scope', { rule: { pattern: '*', scope: 'world' as never } }, 'invalid_answer'],
    ['a reason that is too long', { action: 'deny', denyReason: 'x'.repeat(1_048_576) }, 'message_too_long'],
  ])('confirm: %s', async (_, decision, code) => {
    const { harness, chord } = await asking();
    expect((await failure(harness.confirm('r1', decision))).code).toBe(code);
    expect(chord.written).toEqual([]);
    expect(await harness.open()).toEqual(['r1']);
  });

  test.each<[string, Partial<QuestionAnswer>, string]>([
    ['nothing', {}, 'no_decision'],
    ['blanks', { text: '  ' }, 'no_decision'],
    ['what is not offered', { answers: ['Green'] }, 'invalid_answer'],
    ['two where one is asked for', { answers: ['Red', 'Blue'] }, 'invalid_answer'],
    ['an option and own words', { answers: ['Red'], text: 'Green' }, 'invalid_answer'],
    ['an answer and a refusal', { action: 'decline', answers: ['Red'] }, 'invalid_answer'],
  ])('question: %s', async (_, answer, code) => {
    const { harness, chord } = await questioning();
    expect((await failure(harness.answer('q1', answer))).code).toBe(code);
    expect(chord.written).toEqual([]);
    expect(await harness.open()).toEqual(['q1']);
  });

  test.each<[string, Partial<HandoffDecision>, Record<string, unknown>, string]>([
    ['B64: an empty action', { action: '' as never }, {}, 'no_decision'],
    ['B71: an agent that was not offered', { agent: 'planner' }, {}, 'invalid_answer'],
    ['no agent where none is marked', {}, { agents: list }, 'invalid_answer'],
    ['B71: approval where no agent is offered', {}, { agents: [] }, 'invalid_answer'],
    ['a pool that the agent does not have', { pool: 'gamma' }, {}, 'invalid_answer'],
  ])('handoff: %s', async (_, decision, request, code) => {
    const { harness, chord } = await planning('d1', request);
    expect((await failure(harness.handoff('h1', decision))).code).toBe(code);
    expect(chord.written).toEqual([]);
    expect(await harness.open()).toEqual(['h1']);
  });

  test('B71: without agents a plan may still be denied or cancelled', async () => {
    const { harness } = await planning('d1', { agents: [] });
    const { decision } = await harness.handoff('h1', { action: 'deny' });
    expect(decision.action).toBe('deny');
  });

  test('B59: an empty id is never the pending one', async () => {
    const { harness, chord } = await asking();
    expect((await failure(harness.confirm(''))).code).toBe('unknown_request');
    expect(chord.written).toEqual([]);
  });

  test.each([
    [true, 'no_longer_pending'],
    [false, 'unknown_request'],
  ])('an id that the session does not know, from an item: %s', async (fromItem, code) => {
    const { harness, chord } = await asking();
    expect((await failure(harness.confirm('r9', { fromItem }))).code).toBe(code);
    expect(chord.written).toEqual([]);
  });

  test('a request of another kind', async () => {
    const { harness, chord } = await asking();
    expect((await failure(harness.handoff('r1'))).code).toBe('wrong_kind');
    expect((await failure(harness.answer('r1', { text: 'x' }))).code).toBe('wrong_kind');
    expect(chord.written).toEqual([]);
  });
});

describe('one answer counts', () => {
  test('B30: of two at once exactly one is written, and the other says which won', async () => {
    const { harness, chord } = await asking();
    const allow = harness.confirm('r1');
    const deny = harness.confirm('r1', { action: 'deny' });
    const error = await failure(deny);
    expect(error.code).toBe('already_answered');
    expect(error.facts.details).toMatchObject({ action: 'allow' });
    expect((await allow).decision.action).toBe('allow');
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('B60: again, at once and much later', async () => {
    const { harness, chord } = await asking();
    await harness.confirm('r1', { action: 'deny' });
    expect((await failure(harness.confirm('r1'))).code).toBe('already_answered');
    await harness.clock.advance(300_000);
    const late = await failure(harness.confirm('r1'));
    expect(late.code).toBe('already_answered');
    expect(late.message).toContain('denied');
    expect(late.message).toContain('2030-01-01T00:00:00.000Z');
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('a repeated call of the same name returns what the first came to', async () => {
    const { harness, chord } = await asking();
    const first = await harness.confirm('r1', { callId: '1/Confirm/0/0' });
    expect(await harness.confirm('r1', { callId: '1/Confirm/0/0' })).toEqual(first);
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('B59: an answered request is no key to the next one', async () => {
    const { harness, chord } = await asking();
    await harness.confirm('r1', { action: 'deny' });
    chord.confirmRequest('r2');
    expect((await failure(harness.confirm('r1'))).code).toBe('already_answered');
    expect(await harness.open()).toEqual(['r2']);
    expect(chord.of('confirm')).toHaveLength(1);
  });
});

describe('late answers', () => {
  test('B27: the time counts from arrival, and a later answer is refused', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
    expect(harness.told('confirm_request')[0]?.request).toMatchObject({
      expires_at: '2030-01-01T00:00:30.000Z',
      on_expiry: 'deny',
    });
    await harness.clock.advance(70_000);
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'expired' });
    expect(chord.written).toEqual([]);
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'expired' }]);
  });

  test.each<[string, 'idle' | 'status']>([
    ['the end of the work', 'idle'],
    ['a status without it', 'status'],
  ])(
    'B27: %s that comes in the same moment as its end does not hide that its time was over',
    async (_, how) => {
      const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
      jest.spyOn(harness.clock, 'now').mockReturnValue(Date.parse('2030-01-01T00:00:30.000Z'));
      if (how === 'idle') chord.idle();
      else {
        chord.pendingConfirm = null;
        await harness.session.status({ diagnostics: false, includeModels: false });
      }
      expect(harness.told('request_closed')).toMatchObject([{ reason: 'expired' }]);
    },
  );

  test('a question whose default Chord takes by itself is nobody’s consent', async () => {
    const { harness } = await questioning('d1', { timeout_ms: 30_000, default_answer: 'Red' });
    await harness.clock.advance(30_000);
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'defaulted' }]);
    expect(await harness.ledger('q1')).toEqual({ state: 'defaulted', action: null });
  });

  test('protocol B: a deadline counts', async () => {
    const { harness, chord } = await questioning('d2', { deadline: '2030-01-01T00:01:00.000Z' });
    await harness.clock.advance(60_000);
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe('no_longer_pending');
    expect(chord.written).toEqual([]);
  });

  test('protocol C: Chord’s own clock decides', async () => {
    const { harness } = await questioning('d3', { deadline: '2030-01-01T00:01:00.000Z' });
    await harness.clock.advance(120_000);
    expect(await harness.open()).toEqual(['q1']);
  });

  test('an answer that is on its way does not expire', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    await harness.clock.advance(9000);
    await harness.clock.advance(0);
    chord.answerAll();
    expect((await call).decision.verified_by).toBe('taken');
    await harness.clock.advance(60_000);
    expect(harness.told('request_closed')).toEqual([]);
  });

  test('B58: after the work has ended nothing is written, and the reason is said', async () => {
    const { harness, chord } = await asking();
    chord.idle();
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'ended' });
    expect(chord.written).toEqual([]);
  });

  test('B74: a late approval is neither a decision nor a message', async () => {
    const { harness, chord } = await asking();
    chord.idle();
    await failure(harness.confirm('r1', { denyReason: 'allowed' }));
    expect(chord.written).toEqual([]);
  });

  test('B73: a normal end after our answer is no ended request; one without is "ended", not "expired"', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    chord.idle();
    chord.answerAll();
    await call;
    expect(harness.told('request_closed')).toEqual([]);
    chord.confirmRequest('r2');
    chord.idle();
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'ended', request: { id: 'r2' } }]);
  });

  test('B62: a request that its process took along is lost', async () => {
    const { harness } = await asking();
    harness.chord.transport.exit({ exitCode: null, signal: 'SIGKILL', expected: false });
    await harness.attach(new FakeChord('d1'));
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'lost', request: { id: 'r1' } }]);
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'lost' });
  });

  test('without a process an answer is lost, and starts none', async () => {
    const harness = await Harness.start('d1', { cold: true });
    harness.nextChord = () => new FakeChord('d1');
    expect((await failure(harness.confirm('r1'))).code).toBe('no_longer_pending');
    expect(harness.starts).toBe(0);
  });
});

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
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'superseded', request: { id: 'h1' } }]);
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
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'cancelled' }]);
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

describe('durable questions over a restart', () => {
  const restarted = async (prepare: (next: FakeChord) => void) => {
    const { harness } = await questioning('d3');
    harness.chord.transport.exit({ exitCode: 1, signal: null, expected: false });
    const next = new FakeChord('d3');
    prepare(next);
    await harness.attach(next);
    return { harness, next };
  };

  test('asked for by id after the restart, and answered under the id that it had', async () => {
    const { harness, next } = await restarted((chord) => {
      chord.questions = [
        { request_id: 'q1', version: 2, binding_id: 'b2', options: ['Red'], option_ids: ['red'] },
      ];
    });
    expect(next.of('status')[0]?.question_ids).toEqual(['q1']);
    expect(harness.told('question_request')).toHaveLength(1);
    expect((await harness.answer('q1', { answers: ['Red'] })).decision.action).toBe('answer');
  });

  test('one that ended meanwhile is closed by what the status tells', async () => {
    const { harness } = await restarted((chord) => {
      chord.closedQuestions = [{ request_id: 'q1', reason: 'defaulted' }];
    });
    expect(harness.told('request_closed')).toMatchObject([{ reason: 'defaulted' }]);
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe('no_longer_pending');
  });
});

describe('waiting after a decision', () => {
  test('B55: a stop ends the wait also while the proof is still to come', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const stop = new AbortController();
    const call = harness.confirm('r1', { waitFor: 'turn' }, { signal: stop.signal });
    await settle();
    stop.abort();
    expect((await failure(call)).code).toBe('interrupted');
    chord.answerAll();
    await settle();
    expect(await harness.ledger('r1')).toMatchObject({ state: 'answered', action: 'allow' });
  });

  test('a refusal that comes after the stop still opens the request again', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    chord.refusals = { confirm: 'no' };
    const stop = new AbortController();
    const call = harness.confirm('r1', {}, { signal: stop.signal });
    await settle();
    stop.abort();
    await failure(call);
    chord.answerAll();
    await settle();
    expect(await harness.open()).toEqual(['r1']);
    expect((await harness.confirm('r1')).decision.action).toBe('allow');
  });

  test('the time limit carries the decision', async () => {
    const { harness } = await asking();
    const call = harness.confirm('r1', { waitFor: 'turn', timeoutMs: 1000 });
    await settle();
    await harness.clock.advance(1000);
    const error = await failure(call);
    expect(error.code).toBe('timeout');
    expect(error.facts.details).toMatchObject({ written: true, decision: { action: 'allow' } });
  });

  test.each([
    [true, 1],
    [false, 0],
  ])('cancels the turn on the limit: %s', async (cancelOnTimeout, cancels) => {
    const { harness, chord } = await asking();
    const call = harness.confirm('r1', { waitFor: 'turn', timeoutMs: 1000, cancelOnTimeout });
    await settle();
    await harness.clock.advance(1000);
    await failure(call);
    expect(chord.of('cancel')).toHaveLength(cancels);
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
