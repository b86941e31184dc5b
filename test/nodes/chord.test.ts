import type { IDataObject, INode } from 'n8n-workflow';
import type { ActiveTrigger, Engine } from '../support/Engine';
import { until } from '../support/until';
import { asks, ChordProject, shutDownRegistry } from './support/ChordProject';
import { chordNode, connect, itemsNode, stubNode } from './support/flow';

jest.setTimeout(60_000);

let project: ChordProject;
let engine: Engine;

/** The model: "quick" is answered at once, everything else asks before it is done. */
const steps = [
  {
    id: 'refused',
    times: 'any' as const,
    when: { last_tool: 'rejected by user', last_role: 'tool' },
    reply: { text: 'Then not.' },
  },
  { id: 'ran', times: 'any' as const, when: { last_role: 'tool' }, reply: { text: 'It is done.' } },
  {
    id: 'quick',
    times: 'any' as const,
    when: { last_user: 'quick', last_role: 'user' },
    reply: { text: 'Quick answer.' },
  },
  {
    id: 'broken',
    times: 'any' as const,
    when: { last_user: 'broken', last_role: 'user' },
    reply: { status: 400, error: { message: 'no such thing', type: 'invalid_request_error' } },
  },
  {
    id: 'slow',
    times: 'any' as const,
    when: { last_user: 'slow', last_role: 'user' },
    reply: { hang: true },
  },
  { id: 'ask', times: 'any' as const, when: { last_role: 'user' }, reply: asks('echo one') },
];

/** Each test has a session of its own, so that none meets the requests of another. */
let sessionName: string;
let sessions = 0;

beforeAll(async () => {
  project = await ChordProject.create(steps);
  engine = await project.engine();
});

beforeEach(() => {
  sessions += 1;
  sessionName = `session-${sessions}`;
});

afterAll(shutDownRegistry);

const named = (parameters: IDataObject) => ({ ...parameters, sessionName }) as never;

const send = (
  items: IDataObject[],
  parameters: IDataObject = {},
  more: Partial<INode> = {},
  executionId = '1',
) =>
  engine.execute(
    {
      nodes: [
        itemsNode('Start', items),
        chordNode('Send', 'chordSend', named({ message: '={{ $json.task }}', ...parameters }), more),
      ],
      connections: connect('Start > Send'),
    },
    'Start',
    { executionId },
  );

const confirm = (
  items: IDataObject[],
  parameters: IDataObject = {},
  more: Partial<INode> = {},
  executionId = '9',
) =>
  engine.execute(
    {
      nodes: [itemsNode('Start', items), chordNode('Confirm', 'chordConfirm', parameters as never, more)],
      connections: connect('Start > Confirm'),
    },
    'Start',
    { executionId },
  );

/** Lets Chord ask, and gives the item of its request. */
const asked = async (when = 'first'): Promise<IDataObject & { request: { id: string } }> => {
  const { items } = await send([{ task: 'go' }], {}, {}, `${when} in ${sessionName}`);
  const [item] = items('Send', 1);
  expect(item?.json).toMatchObject({ event: 'confirm_request', request: { kind: 'confirm', tool: 'shell' } });
  return item!.json as never;
};

/** The decisions that reached Chord for a request. */
const decided = (id: string) =>
  project
    .commands('confirm')
    .filter(({ request_id: requestId }) => requestId === id)
    .map(({ action }) => action);

const codes = (items: { json: IDataObject }[]) => items.map(({ json }) => (json.error as IDataObject).code);

describe('Send', () => {
  it('gives the report of the turn', async () => {
    const { items, error } = await send([{ task: 'quick' }]);
    expect(error).toBeUndefined();
    expect(items('Send')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'Quick answer.',
      session: { name: sessionName, project_directory: project.directory },
      turn: { last_outcome: 'completed', requests: [] },
    });
  });

  it('one bad item in the middle harms no other, and the error tells the turn', async () => {
    const { items } = await send(
      [{ task: 'quick' }, { task: 'broken' }, { task: 'quick' }],
      {},
      {
        onError: 'continueErrorOutput',
      },
    );
    expect(items('Send').map(({ json, pairedItem }) => [json.text, pairedItem])).toEqual([
      ['Quick answer.', { item: 0 }],
      ['Quick answer.', { item: 2 }],
    ]);
    expect(codes(items('Send', 2))).toEqual(['turn_failed']);
  });

  it.each([
    ['empty', { task: '  ' }, 'empty_message'],
    ['a command', { task: '/new' }, 'command_not_allowed'],
    ['a command behind blanks that only Chord removes', { task: '\u0085/new' }, 'command_not_allowed'],
    ['B77: too long', { task: 'é'.repeat(600_000) }, 'message_too_long'],
  ])('refuses what is %s before anything is written', async (_what, item, code) => {
    const before = project.commands('send').length;
    const { error } = await send([item]);
    expect(error?.context.code).toBe(code);
    expect(project.commands('send')).toHaveLength(before);
  });

  it('B77: takes a message of 1,048,000 bytes', async () => {
    const { items } = await send([{ task: `quick ${'x'.repeat(1_048_000 - 200)}` }]);
    expect(items('Send')[0]?.json.text).toBe('Quick answer.');
  });

  it("n8n's Retry On Fail writes nothing twice", async () => {
    const before = project.recorded('input').length;
    const { error, runsOf } = await send(
      [{ task: 'broken' }],
      {},
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
    );
    expect(error?.context.code).toBe('turn_failed');
    expect(runsOf('Send')).toHaveLength(1);
    expect(project.recorded('input')).toHaveLength(before + 1);
  });

  it('B55: a stopped execution ends the wait at once; Chord works on', async () => {
    const before = project.commands('cancel').length;
    const inputs = project.recorded('input').length;
    const { error } = await engine.execute(
      {
        nodes: [itemsNode('Start', [{}]), chordNode('Send', 'chordSend', named({ message: 'slow' }))],
        connections: connect('Start > Send'),
      },
      'Start',
      { onStart: (stop) => void until(() => project.recorded('input').length > inputs).then(stop) },
    );
    expect(error?.context.code).toBe('interrupted');
    const { items } = await status();
    expect(items('Status')[0]?.json).toMatchObject({ running: true, busy: true });
    expect(project.commands('cancel')).toHaveLength(before);
  });
});

const status = (parameters: IDataObject = {}) =>
  engine.execute(
    {
      nodes: [itemsNode('Start', [{}]), chordNode('Status', 'chordStatus', named(parameters))],
      connections: connect('Start > Status'),
    },
    'Start',
  );

describe('a Chord that is killed', () => {
  it('ends the wait of a Send with the exit and what it printed, and a later Send starts a new one', async () => {
    const inputs = project.recorded('input').length;
    const sending = send([{ task: 'slow' }], {}, { onError: 'continueErrorOutput' });
    await until(() => project.recorded('input').length > inputs);
    const { items: shown } = await status({ options: { diagnostics: true } });
    const { pid } = shown('Status')[0]!.json.diagnostics as { pid: number };
    process.kill(pid, 'SIGKILL');
    const { items } = await sending;
    expect(items('Send')).toEqual([]);
    expect(items('Send', 2)[0]?.json.error).toMatchObject({ code: 'process_exited', signal: 'SIGKILL' });
    const { items: later } = await send([{ task: 'quick' }], {}, {}, '2');
    expect(later('Send')[0]?.json.text).toBe('Quick answer.');
  });
});

describe('B66: a message while a request is open', () => {
  it('fails by default, and the request stays open', async () => {
    const { request } = await asked();
    const before = project.commands('send').length;
    const { error } = await send([{ task: 'quick' }], {}, {}, '2');
    expect(project.commands('send')).toHaveLength(before);
    expect(error?.context.code).toBe('request_open');
    expect(error?.message).toContain(request.id);
    const { items } = await status();
    expect(items('Status')[0]?.json.open_requests).toEqual([
      expect.objectContaining({ id: request.id, form: expect.any(Array) }),
    ]);
  });

  it('is skipped where that is chosen', async () => {
    await asked();
    const { items } = await send([{ task: 'quick' }], { options: { whenRequestOpen: 'skip' } }, {}, '2');
    expect(items('Send')[0]?.json).toMatchObject({ outcome: 'skipped', reason: expect.any(String) });
  });

  it('waits where that is chosen', async () => {
    const item = await asked();
    const waiting = send([{ task: 'quick' }], { options: { whenRequestOpen: 'wait' } }, {}, '2');
    await confirm([item], { decision: 'deny' });
    const { items } = await waiting;
    expect(items('Send')[0]?.json).toMatchObject({ text: 'Quick answer.' });
  });

  it('dismisses it where that is chosen, and names what was closed', async () => {
    const { request } = await asked();
    const { items } = await send([{ task: 'quick' }], { options: { whenRequestOpen: 'dismiss' } }, {}, '2');
    expect(items('Send')[0]?.json).toMatchObject({ dismissed: [request.id] });
  });
});

describe('Confirm', () => {
  it('allows, and gives the report when it waits', async () => {
    const item = await asked();
    const { items, error } = await confirm([item], { decision: 'allow', waitFor: 'turn' });
    expect(error).toBeUndefined();
    expect(items('Confirm')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'It is done.',
      decision: { request_id: item.request.id, action: 'allow' },
    });
  });

  it('B60: answers once: a second answer is refused, soon and late', async () => {
    const item = await asked();
    await confirm([item], { decision: 'deny' });
    const again = await confirm([item], { decision: 'allow' }, {}, '10');
    expect(again.error?.context.code).toBe('already_answered');
    expect(decided(item.request.id)).toEqual(['deny']);
  });

  it('B30: of two at once one wins, and the other says which', async () => {
    const item = await asked();
    const both = await Promise.all([
      confirm([item], { decision: 'allow' }, {}, '11'),
      confirm([item], { decision: 'deny' }, {}, '12'),
    ]);
    expect(both.map(({ error }) => error?.context.code).sort()).toEqual(['already_answered', undefined]);
    expect(decided(item.request.id)).toHaveLength(1);
    const loser = both.find(({ error }) => error)!;
    expect(loser.error?.message).toContain(decided(item.request.id)[0] === 'allow' ? 'allow' : 'den');
  });

  it('B58, B74: a late answer writes nothing, neither a decision nor a message', async () => {
    const item = await asked();
    await send([{ task: 'quick' }], { options: { whenRequestOpen: 'dismiss' } }, {}, '2');
    const sends = project.commands('send').length;
    const { error } = await confirm([item], { decision: 'allow' });
    expect(error?.context.code).toBe('no_longer_pending');
    expect(decided(item.request.id)).toEqual([]);
    expect(project.commands('send')).toHaveLength(sends);
  });

  it('B59: an answered request is no key to the next one', async () => {
    const first = await asked();
    const { items } = await confirm([first], { decision: 'deny', waitFor: 'turn' });
    expect(items('Confirm')).toHaveLength(1);
    const second = await asked('a second time');
    const { error } = await confirm([first], { decision: 'allow' }, {}, '20');
    expect(error?.context.code).toBe('already_answered');
    expect(decided(second.request.id)).toEqual([]);
  });

  it('bad arguments and rules are refused, and the request stays open', async () => {
    const item = await asked();
    for (const options of [
      { editedArguments: '{"command":' },
      { editedArguments: '"ls"' },
      { ruleScope: 'project' },
    ]) {
      const { error } = await confirm([item], { decision: 'allow', options });
      expect(error?.context.code).toBe('invalid_answer');
    }
    expect(decided(item.request.id)).toEqual([]);
    const { items } = await confirm([item], {
      decision: 'allow',
      waitFor: 'turn',
      options: { editedArguments: '{"command":"echo edited"}' },
    });
    expect(items('Confirm')[0]?.json.outcome).toBe('completed');
    expect(project.recorded('tool').at(-1)?.arguments).toContain('echo edited');
  });

  it("n8n's Retry On Fail returns the noted decision and writes nothing twice", async () => {
    const item = await asked();
    const first = await confirm([item], { decision: 'allow' }, {}, '30');
    const again = await confirm([item], { decision: 'allow' }, {}, '30');
    expect(first.items('Confirm')[0]?.json.decision).toMatchObject({ action: 'allow' });
    expect(again.items('Confirm')[0]?.json.decision).toEqual(first.items('Confirm')[0]?.json.decision);
    expect(decided(item.request.id)).toEqual(['allow']);
  });

  it('a request of a Chord that has ended is lost', async () => {
    const item = await asked();
    const gone = { ...item, request: { ...item.request, id: 'confirm-of-yesterday' } };
    const { error } = await confirm([gone], { decision: 'allow' });
    expect(error?.context.code).toBe('no_longer_pending');
  });

  it('a session key of another credential is refused', async () => {
    const item = await asked();
    const { error } = await confirm([item], {
      decision: 'allow',
      sessionFrom: 'key',
      sessionKey: `other${String((item.session as IDataObject).key)}`,
    });
    expect(error?.context.code).toBe('wrong_session');
    expect(decided(item.request.id)).toEqual([]);
  });
});

describe('the loop of Send, approval step and Confirm', () => {
  it('B31: asks again as long as Chord needs a decision', async () => {
    const threeTimes = await ChordProject.create([
      { id: 'one', when: { last_role: 'user' }, reply: asks('echo one') },
      { id: 'two', when: { last_role: 'tool' }, reply: asks('echo two') },
      { id: 'three', when: { last_role: 'tool' }, reply: asks('echo three') },
      { id: 'end', when: { last_role: 'tool' }, reply: { text: 'Asked three times.' } },
    ]);
    const answers = [
      { data: { Decision: 'Allow' } },
      { data: { Decision: 'Deny', Reason: 'no' } },
      { data: { approved: true } },
    ];
    const { error, items, runsOf } = await (
      await threeTimes.engine()
    ).execute(
      {
        nodes: [
          itemsNode('Start', [{ task: 'go' }]),
          chordNode('Send', 'chordSend', { message: 'go' }),
          stubNode('Ask', 'test.askPerson', { items: JSON.stringify(answers) }),
          chordNode('Confirm', 'chordConfirm', { waitFor: 'turn' }),
        ],
        connections: connect('Start > Send', 'Send:1 > Ask', 'Ask > Confirm', 'Confirm:1 > Ask'),
      },
      'Start',
    );
    expect(error).toBeUndefined();
    expect(runsOf('Confirm')).toHaveLength(3);
    expect(items('Confirm', 0, 2)[0]?.json.text).toBe('Asked three times.');
    expect(threeTimes.commands('confirm').map(({ action }) => action)).toEqual(['allow', 'deny', 'allow']);
    expect(threeTimes.recorded('tool').map(({ status: state }) => state)).toEqual(['ran', 'refused', 'ran']);
  });
});

describe('Trigger', () => {
  const activate = (parameters: IDataObject) =>
    engine.activate(chordNode('Chord Trigger', 'chordTrigger', named(parameters)));

  const close = async ({ response }: ActiveTrigger) => await response.closeFunction?.();

  it('gets the request of a Send, which then waits for the end of its turn', async () => {
    const active = await activate({ preset: 'essentials' });
    const sending = send([{ task: 'go' }]);
    await until(() => active.emitted.length === 1);
    const { json } = active.emitted[0]!;
    expect(json).toMatchObject({
      event: 'confirm_request',
      request: { kind: 'confirm', form: expect.any(Array) },
    });
    await confirm([json], { decision: 'allow' });
    const { items } = await sending;
    expect(items('Send')[0]?.json).toMatchObject({
      text: 'It is done.',
      turn: { requests: [{ kind: 'confirm', handed_to: 'trigger' }] },
    });
    await until(() => active.emitted.length === 2);
    expect(active.emitted[1]?.json).toMatchObject({
      event: 'turn_finished',
      text: 'It is done.',
      outcome: 'completed',
    });
    await close(active);
  });

  it('gets requests that are open already, once', async () => {
    const item = await asked();
    for (const expected of [1, 0]) {
      const active = await activate({});
      if (expected === 1) await until(() => active.emitted.length === 1);
      expect(active.emitted.map(({ json }) => (json.request as { id: string }).id)).toEqual(
        Array<string>(expected).fill(item.request.id),
      );
      await close(active);
    }
  });

  it('rejects for a project directory that is not there, with a sentence that says what to do', async () => {
    await expect(activate({ projectDirectory: '/does/not/exist' })).rejects.toMatchObject({
      context: { code: expect.stringMatching(/^directory_/) },
    });
  });
});

describe('Status', () => {
  it('starts nothing: a session that does not run is no error', async () => {
    const { items } = await status();
    expect(items('Status')[0]?.json).toMatchObject({ running: false, stopped_because: 'never_started' });
  });

  it('starts Chord where that is asked', async () => {
    const { items } = await status({ options: { startIfNeeded: true, diagnostics: true } });
    expect(items('Status')[0]?.json).toMatchObject({ running: true, busy: false, open_requests: [] });
    expect(items('Status')[0]?.json.diagnostics).not.toBeNull();
  });
});

describe("the credential's test", () => {
  it('starts Chord', async () => {
    expect(await engine.testCredential(project.credential)).toMatchObject({ status: 'OK' });
  });

  it.each([
    ['a program that is not there', { command: '/nowhere/chord' }, '/nowhere/chord'],
    ['a directory that is not there', { projectDirectory: '/does/not/exist' }, '/does/not/exist'],
    ['a time limit that is none', { startTimeoutSeconds: 'soon' }, 'startTimeoutSeconds'],
  ])('never throws, and says what is wrong: %s', async (_what, change, named) => {
    const { status: result, message } = await engine.testCredential({ ...project.credential, ...change });
    expect(result).toBe('Error');
    expect(message).toContain(named);
    expect(message).not.toContain('\n');
  });
});
