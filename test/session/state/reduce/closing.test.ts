import { type Envelope } from '../../../../chord/protocol/envelopes';
import {
  take,
  idle,
  confirm,
  question,
  durable,
  handoff,
  started,
  openIds,
  closed,
} from '../support/envelopes';

describe('what an idle ends', () => {
  test.each([
    ['a confirm', confirm('r1'), true],
    ['a question of protocol A', question('r1'), true],
    [
      'a question of protocol B',
      question('r1', { timeout_ms: undefined, deadline: '2031-01-01T00:00:00Z' }),
      true,
    ],
    ['a question of protocol C', question('r1', durable), false],
    ['a handoff', handoff('r1'), false],
  ])('%s', (_, request, ends) => {
    const { state, changes } = take(started, [request, idle()]);
    expect(openIds(state)).toEqual(ends ? [] : ['r1']);
    if (ends) expect(closed(changes)).toEqual([['r1', 'ended']]);
  });

  test('B71: an idle while a handoff is open shows that this Chord does not hold it back', () => {
    const { state } = take(started, [handoff('h1'), idle()]);
    expect(state.capabilities.handoff_holds_idle).toBe(false);
  });
});

describe("Chord's closing words", () => {
  test.each([
    ['approved', 'answered'],
    ['denied', 'denied'],
    ['timeout', 'expired'],
    ['cancelled', 'cancelled'],
  ])('confirm_resolved %s', (reason, state) => {
    const { changes } = take(started, [
      confirm('r1'),
      { type: 'confirm_resolved', payload: { request_id: 'r1', reason } },
    ]);
    expect(closed(changes)).toEqual([['r1', state]]);
  });

  test.each([
    ['answered', 'answered'],
    ['declined', 'denied'],
    ['no_response', 'expired'],
    ['superseded', 'superseded'],
    ['cancelled', 'cancelled'],
    ['error', 'ended'],
    ['defaulted', 'defaulted'],
  ])('question_resolved %s', (reason, state) => {
    const { changes } = take(started, [
      question('q1'),
      { type: 'question_resolved', payload: { request_id: 'q1', reason } },
    ]);
    expect(closed(changes)).toEqual([['q1', state]]);
  });

  test('an event about an older request clears only that one', () => {
    const { state } = take(started, [
      confirm('r1'),
      idle(),
      confirm('r2'),
      { type: 'confirm_resolved', payload: { request_id: 'r1', reason: 'timeout' } },
    ]);
    expect(openIds(state)).toEqual(['r2']);
  });

  test('handoff_cancelled may come twice, and an empty id means whatever is open', () => {
    const cancelled = (request_id: string): Envelope => ({
      type: 'handoff_cancelled',
      payload: { request_id, reason: 'superseded' },
    });
    const { changes, state } = take(started, [
      handoff('h1'),
      cancelled('h1'),
      handoff('h2'),
      cancelled('h1'),
    ]);
    expect(closed(changes)).toEqual([['h1', 'superseded']]);
    expect(openIds(state)).toEqual(['h2']);
    expect(openIds(take(state, [cancelled('')]).state)).toEqual([]);
  });
});
