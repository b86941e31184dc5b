import { type Envelope } from '../../../../chord/protocol/envelopes';
import { loseAll, supersede, withAction } from '../../../../chord/session/state/requestTransitions';
import {
  now,
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

describe('durable questions over the end of a process', () => {
  const { state: open } = take(started, [question('q1', durable), confirm('r1')]);
  const lost = loseAll(open, now);

  test('the question turns unknown, the confirm is lost', () => {
    expect(closed([...lost.changes])).toEqual([['r1', 'lost']]);
    expect(lost.state.ledger.get('q1')?.state).toBe('unknown');
  });

  test('the new process shows it as open: it is, with the id that it had, and was told before', () => {
    const { state, changes } = take(lost.state, [
      ready(),
      { ...question('q1', { ...durable, version: 2 }), type: 'question_updated' },
    ]);
    expect(openIds(state)).toEqual(['q1']);
    expect(opened(changes)).toEqual([]);
  });

  test('the new process shows how it ended', () => {
    const { state } = take(lost.state, [
      ready(),
      status({ pending_questions: [], questions: [{ request_id: 'q1', reason: 'answered' }] }),
    ]);
    expect(state.ledger.get('q1')?.state).toBe('answered');
  });

  test('an answer that was on its way and not taken may be given again', () => {
    const answering = loseAll(withAction(open, 'q1', 'answer'), now);
    const { state } = take(answering.state, [
      ready(),
      status({ pending_questions: [{ request_id: 'q1', ...durable }], questions: [] }),
    ]);
    expect(state.ledger.get('q1')).toMatchObject({ state: 'open', action: null });
  });

  test('a confirm that the new process still shows is open again', () => {
    const { state } = take(lost.state, [
      ready(),
      status({ pending_confirm: { request_id: 'r1', tool_name: 'shell', args_json: '{}' } }),
    ]);
    expect(openIds(state)).toContain('r1');
  });
});

describe('switches of the session', () => {
  test.each([
    ['Started new session 20300101', '20300101'],
    ['Resumed session from 20300102: 8 messages restored', '20300102'],
  ])('D1: the toast "%s" holds the id', (message, id) => {
    const { state, changes } = take(started, [{ type: 'toast', payload: { message } }]);
    expect(state.sessionId).toBe(id);
    expect(changes).toContainEqual({ kind: 'session', sessionId: id });
  });

  test('another toast switches nothing', () => {
    expect(
      take(started, [{ type: 'toast', payload: { message: 'Rule added: git *' } }]).state.sessionId,
    ).toBe('S1');
  });

  test('session_switched ends what was open, and leaves durable questions behind', () => {
    const { state, changes } = take(started, [
      confirm('r1'),
      question('q1', durable),
      idle({ running_jobs: 2 }),
      confirm('r2'),
      { type: 'session_switched', payload: { session_id: 'S2' } },
    ]);
    expect(closed(changes)).toContainEqual(['r2', 'ended']);
    expect(state.ledger.get('q1')?.state).toBe('unknown');
    expect(state.runningJobs).toBe(0);
  });

  test('the session of a background result is no switch', () => {
    const result = { type: 'background_result', payload: { session_id: 'S9', content: 'x' } };
    expect(take(started, [result]).state.sessionId).toBe('S1');
  });
});

describe('the rest of the state', () => {
  test('nothing of the former process is concluded for the next', () => {
    const { state } = take(started, [
      { ...status({ current_role: 'builder', running_jobs: 2 }), seq: 4 },
      { type: 'input_result', seq: 5, payload: { request_id: 'i1', status: 'started' } },
      ready('S1'),
    ]);
    expect(state.capabilities).toMatchObject({ receipts: null, versioned_status: null, roles: null });
    expect(state).toMatchObject({ runningJobs: null, busy: false });
  });

  test.each([
    ['waiting_headers', 'receiving reply'],
    ['executing', 'running tools'],
    ['compacting', 'checkpointing context'],
    ['retrying_key', 'retrying'],
    ['cooling', 'cooling down'],
  ])('the phase of %s', (type, phase) => {
    expect(take(started, [activity(type)]).state.phase).toBe(phase);
  });

  test('transport phases keep the former one, and idle has none', () => {
    const { state } = take(started, [activity('executing'), activity('connecting')]);
    expect(state.phase).toBe('running tools');
    expect(take(state, [idle()]).state.phase).toBeNull();
  });

  test('a refused role changes nothing', () => {
    const { state } = take(started, [
      status({ current_role: 'builder' }),
      { type: 'role_response', payload: { ok: false, message: 'no', role: 'nobody' } },
    ]);
    expect(state.role).toBe('builder');
  });

  test('the lower workdir generation is dropped', () => {
    const moved = (generation: number): Envelope => ({
      type: 'workdir_changed',
      payload: { path: '/p', generation },
    });
    expect(take(started, [moved(3), moved(2)]).state.workdirGeneration).toBe(3);
  });

  test('the first sign of a transfer blocks input until its release, or a new process', () => {
    const sign = (name: string): Envelope => ({ type: `session_transfer_${name}`, payload: {} });
    const blocks = (...envelopes: Envelope[]) => take(started, envelopes).state.transferring;
    for (const name of ['preparing', 'status', 'saved']) expect(blocks(sign(name))).toBe(true);
    expect(blocks(sign('preparing'), sign('saved'), sign('released'))).toBe(false);
    expect(blocks(sign('saved'), { type: 'ready', payload: { session_id: 'S2' } })).toBe(false);
  });

  test('B70: unknown types, odd fields and missing ones change nothing and throw nothing', () => {
    const odd: Envelope[] = [
      { type: 'something_new', payload: { request_id: 'r1' } },
      { type: 'confirm_request', payload: {} },
      { type: 'confirm_request' },
      { type: 'idle', payload: { last_outcome: 7, running_jobs: 'many' } },
      { type: 'question_request', payload: { request_id: 'q1', options: null, option_details: 3 } },
      { type: 'handoff_request', payload: { request_id: 'h1', agents: 'none' } },
      { type: 'status_response', payload: { pending_questions: 'x', questions: 4, workdir: [] } },
    ];
    const { state } = take(started, odd);
    expect(openIds(state)).toEqual(['q1', 'h1']);
  });

  test('a message closes what it may', () => {
    const { state } = take(started, [confirm('r1'), question('q1', durable), handoff('h1')]);
    const next = supersede(state, new Set(), now);
    expect(closed([...next.changes])).toEqual([
      ['r1', 'superseded'],
      ['h1', 'superseded'],
    ]);
    expect(openIds(next.state)).toEqual(['q1']);
  });
});
