import { readEnvelope, type Envelope } from '../../../chord/protocol/envelopes';
import { reduce } from '../../../chord/session/state/reduce';
import { loseAll, supersede, withAction } from '../../../chord/session/state/requestTransitions';
import { initialState, type Change, type SessionState } from '../../../chord/session/state/SessionState';

const now = Date.parse('2030-01-01T00:00:00Z');

/** Takes envelopes in, one after the other. `askedAtStep` of a status: as late as can be, unless said. */
function take(
  state: SessionState,
  envelopes: (Envelope & { askedAtStep?: number })[],
): { state: SessionState; changes: Change[] } {
  const changes: Change[] = [];
  let current = state;
  for (const { askedAtStep, ...envelope } of envelopes) {
    const next = reduce(current, readEnvelope(envelope), { now, askedAtStep: askedAtStep ?? current.step });
    current = next.state;
    changes.push(...next.changes);
  }
  return { state: current, changes };
}

const ready = (session_id = 'S1'): Envelope => ({ type: 'ready', payload: { session_id } });
const idle = (more = {}): Envelope => ({
  type: 'idle',
  payload: { last_outcome: 'completed', suppress_user_notification: false, ...more },
});
const activity = (type = 'streaming', agent_id = 'main'): Envelope => ({
  type: 'activity',
  payload: { agent_id, type, detail: '' },
});
const status = (more = {}): Envelope => ({
  type: 'status_response',
  payload: {
    session_id: 'S1',
    busy: false,
    pending_confirm: null,
    pending_question: null,
    pending_handoff: null,
    ...more,
  },
});
const confirm = (request_id: string): Envelope => ({
  type: 'confirm_request',
  payload: { request_id, tool_name: 'shell', args_json: '{}' },
});
const question = (request_id: string, more = {}): Envelope => ({
  type: 'question_request',
  payload: { request_id, question: 'Which?', options: ['A', 'B'], timeout_ms: 0, ...more },
});
const durable = { version: 1, binding_id: 'b1', response_policy: 'user_required', timeout_ms: undefined };
const handoff = (request_id: string): Envelope => ({
  type: 'handoff_request',
  payload: { request_id, plan_path: '/p.md', agents: [] },
});

const started = take(initialState, [ready()]).state;
const openIds = (state: SessionState): string[] => state.ledger.open().map(({ request }) => request.id);
const opened = (changes: Change[]): string[] =>
  changes.flatMap((change) => (change.kind === 'opened' ? [change.entry.request.id] : []));
const closed = (changes: Change[]): [string, string][] =>
  changes.flatMap((change) =>
    change.kind === 'closed'
      ? [[change.entry.request.id, change.entry.closedBecause ?? change.entry.state] as [string, string]]
      : [],
  );

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
