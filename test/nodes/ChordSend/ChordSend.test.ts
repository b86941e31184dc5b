import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { ChordError } from '../../../chord/errors';
import type { CallResult } from '../../../chord/session/contract';
import { temporaryFolder } from '../../support/temporaryFolder';
import { sessionKey, useBench } from '../support/bench';
import { confirmRequest } from '../support/FakeSession';
import { chordNode, connect, itemsNode, sendFlow, stubNode } from '../support/flow';

const bench = useBench();

const { session } = bench;

const run = (...flow: Parameters<typeof sendFlow>) => bench.engine.execute(sendFlow(...flow), 'Start');

const needsDecision = (id: string): CallResult => ({
  kind: 'needs_decision',
  events: [session().ask(confirmRequest(id))],
});

it('sends what its parameters say', async () => {
  const asTheyAre = {
    cancelOnTimeout: true,
    cancelOnStop: true,
    whenBusy: 'join',
    whenRequestOpen: 'dismiss',
    decisions: 'leave',
    allowCommands: true,
    loop: true,
    releaseHeld: true,
  };
  await run([{ task: 'go' }], {
    message: '={{ $json.task }}',
    waitFor: 'jobs',
    options: { timeoutSeconds: 5, ...asTheyAre },
  });
  expect(session().sent).toEqual([
    {
      ...asTheyAre,
      message: 'go',
      waitFor: 'jobs',
      timeoutMs: 5000,
      callId: '1/id of Send/0/0',
      heldRequests: [],
    },
  ]);
});

it('says what the forms of its requests shall offer, and gives them that form', async () => {
  session().onSend = () => ({
    kind: 'needs_decision',
    events: [{ ...session().ask(confirmRequest('r1')), offer: { rule: null, command: 'ls', name: true } }],
  });
  const { items } = await run([{}], { message: 'go', options: { approvalForm: ['name', 'edit'] } });
  expect(session().sent[0]?.approvalForm).toEqual(['edit', 'name']);
  const { request, offer } = items('Send', 1)[0]?.json as never;
  expect((request as { form: object[] }).form).toMatchObject([
    { fieldLabel: 'Decision' },
    { fieldLabel: 'Command', defaultValue: 'ls' },
    { fieldLabel: 'Reason' },
    { fieldLabel: 'Your Name' },
  ]);
  expect(offer).toBeUndefined();
});

it('offers nothing that is not known', async () => {
  const { error } = await run([{}], { message: 'go', options: { approvalForm: ['all'] } });
  expect(error?.context.code).toBe('invalid_settings');
  expect(session().sent).toEqual([]);
});

it('says that a person looks on in a test run of the editor, and in no other', async () => {
  for (const mode of ['manual', 'trigger'] as const) {
    const flow = {
      nodes: [itemsNode('Start', [{}]), chordNode('Send', 'chordSend', { message: 'go' })],
      connections: connect('Start > Send'),
    };
    await bench.engine.execute(flow, 'Start', { mode, executionId: mode });
  }
  expect(bench.registry.opened.map(({ attended }) => attended)).toEqual(['manual', undefined]);
});

it('waits for the turn by default, joins nothing and dismisses nothing', async () => {
  await run([{ task: 'go' }]);
  expect(session().sent[0]).toMatchObject({
    waitFor: 'turn',
    timeoutMs: 0,
    whenBusy: 'wait',
    whenRequestOpen: 'fail',
    decisions: 'auto',
    allowCommands: false,
    loop: false,
  });
});

it('opens the session that the node names, with the settings of the credential', async () => {
  await run([{ task: 'go' }], {
    message: 'go',
    projectDirectory: '/project/api',
    sessionName: 'second',
    sessionOptions: { startMode: 'resume', sessionId: 'S7', worktree: 'feature' },
  });
  expect(bench.registry.opened[0]).toMatchObject({
    address: { projectDirectory: '/project/api', sessionName: 'second', worktree: 'feature' },
    start: { mode: 'resume', sessionId: 'S7' },
    process: 'on_demand',
    settings: {
      credentialId: 'credential-1',
      command: 'chord',
      startTimeoutMs: 60_000,
      idleTimeoutMs: 1_800_000,
    },
  });
  expect(bench.registry.leases).toBe(0);
});

it('works on several items one after the other, each on "Finished" with its pairing', async () => {
  let running = 0;
  session().onSend = async ({ message }) => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return { kind: 'finished', result: session().finished(message.toUpperCase()) };
  };
  const { items } = await run([{ task: 'one' }, { task: 'two' }]);
  expect(items('Send').map(({ json, pairedItem }) => [json.text, pairedItem])).toEqual([
    ['ONE', { item: 0 }],
    ['TWO', { item: 1 }],
  ]);
});

it('gives a request on "Needs Decision", shaped as the trigger\'s, with its form', async () => {
  session().onSend = () => needsDecision('r1');
  const { items } = await run([{ task: 'go' }]);
  expect(items('Send')).toEqual([]);
  expect(items('Send', 1)).toEqual([
    {
      json: expect.objectContaining({
        event: 'confirm_request',
        category: 'decision',
        session: session().document(),
        request: { ...confirmRequest('r1'), minutes_left: null, form: expect.any(Array) },
      }),
      pairedItem: { item: 0 },
    },
  ]);
});

it('B66: skips the items after one that left a request open, and says why', async () => {
  session().onSend = ({ message }) =>
    message === 'two' ? needsDecision('r1') : { kind: 'finished', result: session().finished(message) };
  const { items, error } = await run([{ task: 'one' }, { task: 'two' }, { task: 'three' }, { task: 'four' }]);
  expect(error).toBeUndefined();
  expect(session().sent.map(({ message }) => message)).toEqual(['one', 'two']);
  expect(items('Send').map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
    ['completed', { item: 0 }],
    ['skipped', { item: 2 }],
    ['skipped', { item: 3 }],
  ]);
  expect(items('Send')[1]?.json.reason).toContain('r1');
  expect(items('Send', 1).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
});

it('one bad item in the middle harms no other', async () => {
  session().onSend = ({ message }) => {
    if (message === 'bad') {
      throw new ChordError('turn_failed', 'The turn failed.', {
        description: 'Look at the errors.',
        exitCode: 3,
        stderrTail: 'no api key',
        details: { text: 'half', message: 'not the error', turn: { errors: ['x'] } },
      });
    }
    return { kind: 'finished', result: session().finished(message) };
  };
  const { items } = await run([{ task: 'one' }, { task: 'bad' }, { task: 'three' }], undefined, {
    onError: 'continueErrorOutput',
  });
  expect(items('Send').map(({ json }) => json.text)).toEqual(['one', 'three']);
  expect(items('Send', 2)[0]?.json).toEqual({
    task: 'bad',
    error: {
      code: 'turn_failed',
      message: 'The turn failed.',
      description: 'Look at the errors.',
      exit_code: 3,
      stderr_tail: 'no api key',
      text: 'half',
      turn: { errors: ['x'] },
    },
  });
});

it("an error carries the turn's fields in its context", async () => {
  session().onSend = () => {
    throw new ChordError('timeout', 'ENOENT is only a word here.', {
      details: { written: true, turn: { errors: [] }, message: 'not the error' },
    });
  };
  const { error } = await run([{ task: 'go' }]);
  expect(error?.message).toBe('ENOENT is only a word here.');
  expect(error?.context).toMatchObject({
    code: 'timeout',
    written: true,
    turn: { errors: [] },
    itemIndex: 0,
  });
});

it('images become binary data; one whose file is gone says so', async () => {
  const pixel = Buffer.from('not really a picture').toString('base64');
  const file = path.join(temporaryFolder(), 'image');
  writeFileSync(file, 'not really a picture');
  const image = { reference: 'a', call_id: 'c', mime_type: 'image/png', width: 1, height: 1 };
  session().onSend = () => ({
    kind: 'finished',
    result: {
      ...session().finished('drawn'),
      turn: {
        messages: [],
        reports: [],
        subagents: [],
        background_results: [],
        images: [
          { ...image, file },
          { ...image, reference: 'b', mime_type: 'image/jpeg', file },
          { ...image, reference: 'c', file: `${file} that is gone` },
        ],
        warnings: [],
        errors: [],
        requests: [],
        last_outcome: 'completed',
        tool_calls: { main: 0, subagents: 0 },
        retries: 0,
        running_jobs: 0,
        started_at: '',
        ended_at: '',
        duration_ms: 0,
      },
    },
  });
  const { items } = await run([{ task: 'draw' }]);
  const [item] = items('Send');
  expect(item?.binary).toMatchObject({
    image: { data: pixel, mimeType: 'image/png', fileName: 'image.png' },
    image_2: { data: pixel, mimeType: 'image/jpeg', fileName: 'image_2.jpeg' },
  });
  expect(Object.keys(item?.binary ?? {})).toEqual(['image', 'image_2']);
  expect((item?.json.turn as IDataObject).images).toEqual([
    image,
    { ...image, reference: 'b', mime_type: 'image/jpeg' },
    { ...image, reference: 'c', missing: true },
  ]);
});

describe('requests that the execution holds', () => {
  it('are named to the session, so that they are never waited for', async () => {
    session().onSend = () => needsDecision('r1');
    const flow = {
      nodes: [
        itemsNode('Start', [{ session: { key: sessionKey }, request: { id: 'r0', kind: 'confirm' } }]),
        chordNode('Send', 'chordSend', { message: 'one' }),
        stubNode('Ask', 'test.askPerson', { items: '[{"data":{}}]' }),
        chordNode('Send again', 'chordSend', { message: 'two', options: { whenRequestOpen: 'wait' } }),
      ],
      connections: connect('Start > Send', 'Send:1 > Ask', 'Ask > Send again'),
    };
    await bench.engine.execute(flow, 'Start');
    expect(session().sent[1]?.heldRequests.sort()).toEqual(['r0', 'r1']);
  });
});
