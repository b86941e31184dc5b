import type { IDataObject, INode } from 'n8n-workflow';
import { sessionKey, useBench } from '../support/bench';
import { confirmRequest } from '../support/FakeSession';
import { chordNode, connect, itemsNode, stubNode } from '../support/flow';

const bench = useBench();

const { session } = bench;

const request = (id: string, more: IDataObject = {}): IDataObject => ({
  session: { key: sessionKey },
  request: { id, kind: 'confirm' },
  ...more,
});

const run = (items: IDataObject[], parameters: IDataObject = {}, more: Partial<INode> = {}) =>
  bench.engine.execute(
    {
      nodes: [
        itemsNode('Chord Trigger', items),
        chordNode('Confirm', 'chordConfirm', parameters as never, more),
        stubNode('Good', 'test.look', { value: "={{ $('Chord Trigger').item.json.request.id }}" }),
        stubNode('Bad', 'test.look', { value: "={{ $('Chord Trigger').item.json.request.id }}" }),
      ],
      connections: connect('Chord Trigger > Confirm', 'Confirm > Good', 'Confirm:2 > Bad'),
    },
    'Chord Trigger',
  );

const ask = (...ids: string[]) => ids.forEach((id) => session().ask(confirmRequest(id)));

describe('without waiting', () => {
  it('gives the input with session and decision', async () => {
    ask('r1');
    const { items } = await run([request('r1', { Decision: 'Allow', note: 'kept' })]);
    expect(items('Confirm')).toEqual([
      {
        json: {
          ...request('r1', { Decision: 'Allow', note: 'kept' }),
          outcome: 'sent',
          session: session().document(),
          decision: {
            request_id: 'r1',
            kind: 'confirm',
            action: 'allow',
            verified_by: 'event',
            at: '',
            responder: null,
            responded_at: null,
          },
        },
        pairedItem: { item: 0 },
      },
    ]);
  });

  it('B32: reads the parameters of each item, in order', async () => {
    ask('r1', 'r2', 'r3');
    const items = ['allow', 'deny', 'allow'].map((decision, index) =>
      request(`r${index + 1}`, { choose: decision, why: `reason ${index + 1}` }),
    );
    const { items: given } = await run(items, {
      decision: '={{ $json.choose }}',
      denyReason: '={{ $json.why }}',
    });
    expect(
      session().confirmed.map(({ requestId, action, denyReason }) => [requestId, action, denyReason]),
    ).toEqual([
      ['r1', 'allow', ''],
      ['r2', 'deny', 'reason 2'],
      ['r3', 'allow', ''],
    ]);
    expect(given('Confirm').map(({ json, pairedItem }) => [json.why, pairedItem])).toEqual([
      ['reason 1', { item: 0 }],
      ['reason 2', { item: 1 }],
      ['reason 3', { item: 2 }],
    ]);
  });

  it('passes on edited arguments and a rule', async () => {
    ask('r1');
    await run([request('r1')], {
      decision: 'allow',
      options: {
        editedArguments: '{"command":"ls"}',
        editSummary: 'safer',
        rulePattern: 'ls *',
        ruleScope: 'project',
      },
    });
    expect(session().confirmed[0]).toMatchObject({
      editedArguments: '{"command":"ls"}',
      editSummary: 'safer',
      rule: { pattern: 'ls *', scope: 'project' },
    });
  });

  it('takes a rule for the session where no scope is set', async () => {
    ask('r1');
    await run([request('r1')], { decision: 'allow', options: { rulePattern: 'ls' } });
    expect(session().confirmed[0]?.rule).toEqual({ pattern: 'ls', scope: 'session' });
  });
});

describe('what a form gave beside an approval', () => {
  it.each<[string, IDataObject, object]>([
    [
      'as it stands, blanks and breaks too',
      { data: { Decision: 'Allow for This Session', Rule: 'ls *', Command: '\r\n ls ' } },
      { remember: 'session', rule: 'ls *', command: '\r\n ls ' },
    ],
    [
      'beside the item',
      { Decision: 'allow for this project', Rule: '' },
      { remember: 'project', rule: '', command: null },
    ],
    ['nothing', { data: { Decision: 'Allow', Rule: null } }, { remember: null, rule: null, command: null }],
  ])('is passed on: %s', async (_what, step, form) => {
    ask('r1');
    await run([request('r1', step)]);
    expect(session().confirmed).toMatchObject([{ action: 'allow', form }]);
  });

  it('means nothing to a denial', async () => {
    ask('r1');
    await run([request('r1', { data: { Decision: 'Deny', Rule: ['x'], Command: {} } })]);
    expect(session().confirmed).toMatchObject([{ action: 'deny' }]);
    expect(session().confirmed[0]?.form).toBeUndefined();
  });

  it.each([
    ['a command that is no text', { data: { Decision: 'Allow', Command: {} } }],
    ['two commands', { data: { Decision: 'Allow', Command: 'a' }, Command: 'b' }],
    ['two decisions', { data: { Decision: 'Allow for This Session', approved: true } }],
  ])('is refused: %s', async (_what, step) => {
    ask('r1');
    const { error } = await run([request('r1', step as IDataObject)]);
    expect(error?.context.code).toBe('no_decision');
    expect(session().confirmed).toEqual([]);
  });
});

describe('options for one decision do not fail another', () => {
  const wrong = '={{ $("Nobody").item.json.x }}';

  it.each<[string, IDataObject, object]>([
    [
      'a denial, edited arguments and a rule',
      {
        decision: 'deny',
        denyReason: 'no',
        options: { editedArguments: '{"command":"ls"}', rulePattern: 'ls *', ruleScope: 'project' },
      },
      { action: 'deny', denyReason: 'no', editedArguments: '', editSummary: '', rule: null },
    ],
    [
      'a denial of the step, options that are wrong',
      {
        stepResult: { data: { Decision: 'Deny', Reason: 'not now' } },
        options: { editedArguments: '{', editSummary: {}, ruleScope: 'all' },
      },
      { action: 'deny', denyReason: 'not now', rule: null },
    ],
    ['a denial, options that cannot be evaluated', { decision: 'deny', options: wrong }, { action: 'deny' }],
    [
      'an approval, a reason that cannot be evaluated',
      { decision: 'allow', denyReason: wrong },
      { action: 'allow' },
    ],
  ])('%s', async (_what, parameters, decision) => {
    ask('r1');
    const { error } = await run([request('r1')], parameters);
    expect(error).toBeUndefined();
    expect(session().confirmed).toMatchObject([decision]);
  });
});

describe('bad input', () => {
  it.each([
    [
      'a rule scope without a pattern',
      { decision: 'allow', options: { ruleScope: 'project' } },
      'invalid_answer',
    ],
    [
      'an unknown rule scope',
      { decision: 'allow', options: { rulePattern: 'x', ruleScope: 'all' } },
      'invalid_settings',
    ],
    ['an unknown decision', { decision: '={{ "allow_once" }}' }, 'invalid_settings'],
    ['no decision of the step', {}, 'no_decision'],
    [
      'an expression that cannot be evaluated',
      { decision: 'deny', denyReason: '={{ $("Nobody").item.json.x }}' },
      'invalid_settings',
    ],
    [
      'a time limit that is no number',
      { decision: 'allow', waitFor: 'turn', waitOptions: { timeoutSeconds: 'soon' } },
      'invalid_settings',
    ],
  ])('%s is an error before anything is written', async (_what, parameters, code) => {
    ask('r1');
    const { error } = await run([request('r1')], parameters as IDataObject);
    expect(error?.name).toBe('NodeOperationError');
    expect(error?.context.code).toBe(code);
    expect(error?.message).not.toBe('');
    expect(session().confirmed).toEqual([]);
    expect(session().ledger[0]?.state).toBe('open');
  });

  it.each<[unknown, string]>([
    [true, 'allow'],
    ['true', 'allow'],
    ['Allow', 'allow'],
    [' allow ', 'allow'],
    ['approve', 'allow'],
    [false, 'deny'],
    ['false', 'deny'],
    ['yes', 'no_decision'],
    ['no', 'no_decision'],
    ['allow_once', 'no_decision'],
    [1, 'no_decision'],
    [null, 'no_decision'],
    [{}, 'no_decision'],
  ])('B64: %j as the decision comes to %s', async (approved, outcome) => {
    for (const step of [
      { data: { approved } },
      { data: { Decision: approved } },
      { data: { text: approved } },
    ]) {
      ask('r1');
      const { error } = await run([request('r1', step as IDataObject)]);
      expect([
        session()
          .confirmed.map(({ action }) => action)
          .at(0) ?? error?.context.code,
      ]).toEqual([outcome]);
      session().confirmed.splice(0);
      session().ledger.splice(0);
    }
  });

  it('B29: an item without a decision field is an error', async () => {
    ask('r1');
    for (const approved of [undefined, null, '']) {
      const { error } = await run([request('r1', { data: { approved } as IDataObject })]);
      expect(error?.context.code).toBe('no_decision');
    }
    expect(session().confirmed).toEqual([]);
  });
});

describe('continue on fail', () => {
  const three = () => {
    ask('r1', 'r2', 'r3');
    session().close('r2', 'answered', 'deny');
    return ['r1', 'r2', 'r3'].map((id) => request(id));
  };

  const failure = {
    error: {
      code: 'already_answered',
      message: 'Request r2 was answered: deny',
      description: 'Nothing was written.',
      request_id: 'r2',
      session_key: sessionKey,
    },
  };

  it('B31: sends the failed item alone to the error output, with pairing on both', async () => {
    const { error, items } = await run(three(), { decision: 'allow' }, { onError: 'continueErrorOutput' });
    expect(error).toBeUndefined();
    expect(session().confirmed.map(({ requestId }) => requestId)).toEqual(['r1', 'r3']);
    expect(items('Confirm').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(items('Good').map(({ json }) => json.seen)).toEqual(['r1', 'r3']);
    expect(items('Bad').map(({ json }) => json.seen)).toEqual(['r2']);
    expect(items('Confirm', 2)[0]?.json).toMatchObject(failure);
  });

  it('gives exactly { error } on the regular output', async () => {
    const { items } = await run(three(), { decision: 'allow' }, { onError: 'continueRegularOutput' });
    const failed = items('Confirm')[1];
    expect(failed?.json).toEqual(failure);
    expect(failed?.error).toBeUndefined();
    expect(failed?.pairedItem).toEqual({ item: 1 });
  });

  it('never throws, not even for a fault of our own', async () => {
    ask('r1');
    bench.registry.onOpen = () => {
      throw new TypeError('undefined is not a function');
    };
    const { error, items } = await run(
      [request('r1')],
      { decision: 'allow' },
      { onError: 'continueErrorOutput' },
    );
    expect(error).toBeUndefined();
    expect(items('Confirm')).toEqual([]);
    expect(items('Confirm', 2)[0]?.json.error).toMatchObject({ code: 'internal' });
  });
});

describe('waiting', () => {
  it('gives the result with the decision', async () => {
    ask('r1');
    const { items } = await run([request('r1')], { decision: 'allow', waitFor: 'turn' });
    expect(items('Confirm')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'done',
      decision: { request_id: 'r1', action: 'allow' },
    });
  });

  it('hands on how to wait', async () => {
    ask('r1');
    await run([request('r1')], {
      decision: 'allow',
      waitFor: 'jobs',
      waitOptions: {
        timeoutSeconds: 90,
        cancelOnTimeout: true,
        cancelOnStop: true,
        decisions: 'return',
        approvalForm: ['remember'],
      },
    });
    expect(session().confirmed[0]).toMatchObject({
      waitFor: 'jobs',
      timeoutMs: 90_000,
      cancelOnTimeout: true,
      cancelOnStop: true,
      decisions: 'return',
      approvalForm: ['remember'],
    });
  });

  it('does not lose a new request when a later item fails', async () => {
    ask('r1', 'r2');
    session().close('r2', 'answered', 'deny');
    session().onConfirmed = () => ({ kind: 'needs_decision', events: [session().ask(confirmRequest('r3'))] });
    const { error, items } = await run([request('r1'), request('r2')], {
      decision: 'allow',
      waitFor: 'turn',
    });
    expect(error).toBeUndefined();
    expect(items('Confirm', 1)[0]?.json.request).toMatchObject({ id: 'r3', form: expect.any(Array) });
    expect(items('Confirm')[0]?.json).toMatchObject({
      outcome: 'skipped',
      reason: 'Request r2 was answered: deny',
    });
  });
});

describe('repeated runs', () => {
  it("names a call alike over n8n's Retry On Fail, and anew for each item and execution", async () => {
    ask('r1', 'r2');
    let tries = 0;
    bench.registry.onOpen = () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    };
    await run(
      [request('r1'), request('r2')],
      { decision: 'allow' },
      { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
    );
    expect(session().confirmed.map(({ callId }) => callId)).toEqual([
      '1/id of Confirm/0/0',
      '1/id of Confirm/0/1',
    ]);
  });
});
