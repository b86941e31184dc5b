import type { ConfirmDecision, HandoffDecision, QuestionAnswer } from '../../../../../chord/session/contract';
import { asking, questioning, planning } from '../support/decisions';

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
