import { withAction } from '../../../../chord/session/state/requestTransitions';
import {
  take,
  ready,
  idle,
  activity,
  status,
  confirm,
  question,
  durable,
  handoff,
  started,
  openIds,
  opened,
  closed,
} from '../support/envelopes';

describe('seq', () => {
  test('a snapshot below the highest seq is dropped whole', () => {
    const { state } = take(started, [
      { ...confirm('r1'), seq: 5 },
      { ...status({ busy: false, current_role: 'old' }), seq: 4 },
    ]);
    expect(openIds(state)).toEqual(['r1']);
    expect(state.role).toBe('');
  });

  test('a snapshot that equals the highest seq counts', () => {
    const { state } = take(started, [
      { ...activity(), seq: 5 },
      { ...status({ current_role: 'builder' }), seq: 5 },
    ]);
    expect(state).toMatchObject({ role: 'builder', busy: false });
  });

  test('a push is never dropped, also when a status told a higher seq before', () => {
    const { state } = take(started, [
      { ...status(), seq: 9 },
      { ...confirm('r1'), seq: 3 },
    ]);
    expect(openIds(state)).toEqual(['r1']);
  });

  test('a new process counts anew', () => {
    const { state } = take(started, [
      { ...activity(), seq: 90 },
      ready('S2'),
      { ...status({ current_role: 'planner' }), seq: 1 },
    ]);
    expect(state.role).toBe('planner');
  });

  test('without seq a snapshot that a push overtook does not say that Chord works', () => {
    const { state } = take(started, [activity(), idle(), { ...status({ busy: true }), askedAtStep: 2 }]);
    expect(state.busy).toBe(false);
  });
});

describe('snapshots and requests', () => {
  test('a request first seen in a snapshot opens once, and its push tells nothing new', () => {
    const { changes } = take(started, [
      status({ pending_confirm: { request_id: 'r1', tool_name: 'shell', args_json: '{}' } }),
      confirm('r1'),
      status({ pending_confirm: { request_id: 'r1', tool_name: 'shell', args_json: '{}' } }),
    ]);
    expect(opened(changes)).toEqual(['r1']);
  });

  test.each([
    ['confirm', confirm('r1')],
    ['question', question('r1')],
    ['handoff', handoff('r1')],
  ])('a %s that a snapshot does not show any more is closed', (_, request) => {
    const { changes } = take(started, [request, status()]);
    expect(closed(changes)).toEqual([['r1', 'ended']]);
  });

  test('a snapshot closes nothing that opened after it was asked for', () => {
    const { state } = take(started, [confirm('r1'), { ...status(), askedAtStep: 1 }]);
    expect(openIds(state)).toEqual(['r1']);
  });

  test('an answer that is on its way is what closed a request that a snapshot does not show any more', () => {
    const { state } = take(started, [confirm('r1')]);
    const { changes } = take(withAction(state, 'r1', 'allow'), [status()]);
    expect(closed(changes)).toEqual([['r1', 'answered']]);
  });

  test('a request that was closed is not opened again by a late snapshot', () => {
    const { changes, state } = take(started, [
      confirm('r1'),
      idle(),
      status({ pending_confirm: { request_id: 'r1', tool_name: 'shell', args_json: '{}' } }),
    ]);
    expect(opened(changes)).toEqual(['r1']);
    expect(openIds(state)).toEqual([]);
  });

  test('a durable question that a page does not show has not ended', () => {
    const { state } = take(started, [
      question('q1', durable),
      status({ pending_question: undefined, pending_questions: [], questions: [] }),
    ]);
    expect(openIds(state)).toEqual(['q1']);
  });

  test('a durable question that a page shows with an outcome is closed by it', () => {
    const { changes } = take(started, [
      question('q1', durable),
      status({
        pending_question: undefined,
        pending_questions: [],
        questions: [{ request_id: 'q1', reason: 'defaulted' }],
      }),
    ]);
    expect(closed(changes)).toEqual([['q1', 'defaulted']]);
  });

  test('a status that tells the first session for ever does not undo a switch (D1)', () => {
    const { state } = take(started, [
      { type: 'toast', payload: { message: 'Started new session S2' } },
      status({ session_id: 'S1' }),
    ]);
    expect(state.sessionId).toBe('S2');
  });

  test('where switches are told, a status that shows another session is a switch', () => {
    const { state, changes } = take(started, [{ ...status({ session_id: 'S2' }), seq: 3 }]);
    expect(state.sessionId).toBe('S2');
    expect(changes).toContainEqual({ kind: 'session', sessionId: 'S2' });
  });
});
