import type { ConfirmDecision, HandoffDecision, QuestionAnswer } from '../../../../../chord/session/contract';
import { failure } from '../../../support/promises';
import { asking, questioning, planning } from '../support/decisions';

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
