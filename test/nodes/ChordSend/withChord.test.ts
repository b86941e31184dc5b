import type { IDataObject } from 'n8n-workflow';
import { until } from '../../support/until';
import { chordNode, connect, itemsNode } from '../support/flow';
import { useTasks } from '../support/Tasks';

jest.setTimeout(60_000);

const tasks = useTasks();

const codes = (items: { json: IDataObject }[]) => items.map(({ json }) => (json.error as IDataObject).code);

describe('Send', () => {
  it('gives the report of the turn', async () => {
    const { items, error } = await tasks.send([{ task: 'quick' }]);
    expect(error).toBeUndefined();
    expect(items('Send')[0]?.json).toMatchObject({
      outcome: 'completed',
      text: 'Quick answer.',
      session: { name: tasks.sessionName, project_directory: tasks.project.directory },
      turn: { last_outcome: 'completed', requests: [] },
    });
  });

  it('one bad item in the middle harms no other, and the error tells the turn', async () => {
    const { items } = await tasks.send(
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
    const before = tasks.project.commands('send').length;
    const { error } = await tasks.send([item]);
    expect(error?.context.code).toBe(code);
    expect(tasks.project.commands('send')).toHaveLength(before);
  });

  it('B77: takes a message of 1,048,000 bytes', async () => {
    const { items } = await tasks.send([{ task: `quick ${'x'.repeat(1_048_000 - 200)}` }]);
    expect(items('Send')[0]?.json.text).toBe('Quick answer.');
  });

  it("n8n's Retry On Fail writes nothing twice", async () => {
    const before = tasks.project.recorded('input').length;
    const { error, runsOf } = await tasks.send(
      [{ task: 'broken' }],
      {},
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
    );
    expect(error?.context.code).toBe('turn_failed');
    expect(runsOf('Send')).toHaveLength(1);
    expect(tasks.project.recorded('input')).toHaveLength(before + 1);
  });

  it('B55: a stopped execution ends the wait at once; Chord works on', async () => {
    const before = tasks.project.commands('cancel').length;
    const inputs = tasks.project.recorded('input').length;
    const { error } = await tasks.engine.execute(
      {
        nodes: [itemsNode('Start', [{}]), chordNode('Send', 'chordSend', tasks.named({ message: 'slow' }))],
        connections: connect('Start > Send'),
      },
      'Start',
      { onStart: (stop) => void until(() => tasks.project.recorded('input').length > inputs).then(stop) },
    );
    expect(error?.context.code).toBe('interrupted');
    const { items } = await tasks.status();
    expect(items('Status')[0]?.json).toMatchObject({ running: true, busy: true });
    expect(tasks.project.commands('cancel')).toHaveLength(before);
  });
});

describe('a Chord that is killed', () => {
  it('ends the wait of a Send with the exit and what it printed, and a later Send starts a new one', async () => {
    const inputs = tasks.project.recorded('input').length;
    const sending = tasks.send([{ task: 'slow' }], {}, { onError: 'continueErrorOutput' });
    await until(() => tasks.project.recorded('input').length > inputs);
    const { items: shown } = await tasks.status({ options: { diagnostics: true } });
    const { pid } = shown('Status')[0]!.json.diagnostics as { pid: number };
    process.kill(pid, 'SIGKILL');
    const { items } = await sending;
    expect(items('Send')).toEqual([]);
    expect(items('Send', 2)[0]?.json.error).toMatchObject({ code: 'process_exited', signal: 'SIGKILL' });
    const { items: later } = await tasks.send([{ task: 'quick' }], {}, {}, '2');
    expect(later('Send')[0]?.json.text).toBe('Quick answer.');
  });
});

describe('B66: a message while a request is open', () => {
  it('fails by default, and the request stays open', async () => {
    const { request } = await tasks.ask();
    const before = tasks.project.commands('send').length;
    const { error } = await tasks.send([{ task: 'quick' }], {}, {}, '2');
    expect(tasks.project.commands('send')).toHaveLength(before);
    expect(error?.context.code).toBe('request_open');
    expect(error?.message).toContain(request.id);
    const { items } = await tasks.status();
    expect(items('Status')[0]?.json.open_requests).toEqual([
      expect.objectContaining({ id: request.id, form: expect.any(Array) }),
    ]);
  });

  it('is skipped where that is chosen', async () => {
    await tasks.ask();
    const { items } = await tasks.send(
      [{ task: 'quick' }],
      { options: { whenRequestOpen: 'skip' } },
      {},
      '2',
    );
    expect(items('Send')[0]?.json).toMatchObject({ outcome: 'skipped', reason: expect.any(String) });
  });

  it('waits where that is chosen', async () => {
    const item = await tasks.ask();
    const waiting = tasks.send([{ task: 'quick' }], { options: { whenRequestOpen: 'wait' } }, {}, '2');
    await tasks.confirm([item], { decision: 'deny' });
    const { items } = await waiting;
    expect(items('Send')[0]?.json).toMatchObject({ text: 'Quick answer.' });
  });

  it('dismisses it where that is chosen, and names what was closed', async () => {
    const { request } = await tasks.ask();
    const { items } = await tasks.send(
      [{ task: 'quick' }],
      { options: { whenRequestOpen: 'dismiss' } },
      {},
      '2',
    );
    expect(items('Send')[0]?.json).toMatchObject({ dismissed: [request.id] });
  });
});
