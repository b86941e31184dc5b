import type { ChordEvent, EventFilter } from '../../../chord/session/contract';
import { takes, type EventTraits } from '../../../chord/session/events/Listeners';
import { everything, Harness } from '../support/Harness';
import { settle } from '../support/promises';

const traits = (more: Partial<EventTraits>): EventTraits => ({
  event: 'assistant_message',
  isMain: true,
  suppressed: false,
  ...more,
});

describe('filters', () => {
  test.each<[string, Parameters<typeof takes>[0], Partial<EventTraits>, boolean]>([
    ['everything takes unknown events', everything, { event: 'brand_new' }, true],
    ['a list takes its names', { ...everything, events: ['idle'] }, { event: 'idle' }, true],
    ['and no others', { ...everything, events: ['idle'] }, {}, false],
    ['a SubAgent passes', everything, { isMain: false }, true],
    ['but not with main agent only', { ...everything, mainAgentOnly: true }, { isMain: false }, false],
    [
      'a SubAgent’s request does: a person has to decide it',
      { ...everything, mainAgentOnly: true },
      { isMain: false, requestId: 'r1' },
      true,
    ],
    ['suppressed ones do not pass', everything, { event: 'idle', suppressed: true }, false],
    ['unless wanted', { ...everything, includeSuppressed: true }, { event: 'idle', suppressed: true }, true],
    [
      'a message without text is none',
      { ...everything, events: ['assistant_message'] },
      { empty: true },
      false,
    ],
    ['but stands in everything', everything, { empty: true }, true],
    [
      'a tool that is named',
      { ...everything, toolNames: ['shell'] },
      { tool: 'shell', requestId: 'r1' },
      true,
    ],
    ['one that is not', { ...everything, toolNames: ['shell'] }, { tool: 'write', requestId: 'r1' }, false],
    [
      'names of tools are about confirms only',
      { ...everything, toolNames: ['shell'] },
      { requestId: 'q1' },
      true,
    ],
  ])('%s', (_, filter, event, passes) => {
    expect(takes(filter, traits(event))).toBe(passes);
  });
});

describe('who gets events', () => {
  test('messages that only call tools reach only those who want everything', async () => {
    const harness = await Harness.start('d2');
    const chat: string[] = [];
    const events = ['assistant_message', 'agent_notify', 'info', 'toast'];
    await harness.listen({ id: 'chat', filter: { events } }, ({ text }) => chat.push(text));
    harness.chord.work();
    harness.chord.say('', 1);
    harness.chord.say(' \n', 1);
    harness.chord.push('agent_notify', { agent_id: 'a1', agent_type: 'helper', message: '' });
    harness.chord.push('info', { agent_id: '', message: '' });
    harness.chord.push('toast', { agent_id: '', message: ' ' });
    harness.chord.say('Said.');
    expect(chat).toEqual(['Said.']);
    expect(harness.published(...events)).toHaveLength(6);
  });

  test('B10: each listener gets its own events only', async () => {
    const harness = await Harness.start('d1');
    const published: Record<string, string[]> = { a: [], b: [] };
    await harness.listen({ id: 'a', filter: { events: ['confirm_request'] } }, ({ event }) =>
      published.a!.push(event),
    );
    const end = await harness.listen({ id: 'b', filter: { events: ['idle'] } }, ({ event }) =>
      published.b!.push(event),
    );
    harness.chord.confirmRequest('r1');
    harness.chord.idle();
    await end();
    harness.chord.idle();
    harness.chord.confirmRequest('r2');
    expect(published).toEqual({ a: ['confirm_request', 'confirm_request'], b: ['idle'] });
    expect(harness.chord.written).toEqual([]);
  });

  test('one that throws, or rejects, is counted and hinders nobody', async () => {
    const harness = await Harness.start('d1');
    const published: string[] = [];
    await harness.listen({ id: 'bad' }, () => {
      throw new Error('mine');
    });
    await harness.listen({ id: 'worse' }, (() => Promise.reject(new Error('mine'))) as () => void);
    await harness.listen({ id: 'good' }, ({ event }) => published.push(event));
    harness.chord.idle();
    await settle();
    expect(published).toEqual(['idle']);
    const { diagnostics } = await harness.session.status({ diagnostics: true, includeModels: false });
    expect(diagnostics).toMatchObject({ failed_listener_calls: expect.any(Number) as number, listeners: 4 });
    expect(diagnostics!.failed_listener_calls).toBeGreaterThanOrEqual(2);
  });

  test('one that never returns its promise hinders nobody', async () => {
    const harness = await Harness.start('d1');
    const published: string[] = [];
    await harness.listen({ id: 'slow' }, (() => new Promise(() => undefined)) as () => void);
    await harness.listen({ id: 'good' }, ({ event }) => published.push(event));
    harness.chord.turn('x');
    expect(published).toEqual(['activity', 'activity', 'assistant_message', 'idle']);
  });

  test('a request is published once per listener, over its new activations too', async () => {
    const harness = await Harness.start('d1');
    const published: string[] = [];
    const listener = ({ request }: ChordEvent): void => {
      if (request) published.push(request.id);
    };
    const options = { id: 'w1/Chord Trigger', filter: { events: ['confirm_request'] } };
    const end = await harness.listen(options, listener);
    harness.chord.confirmRequest('r1');
    await end();
    await end();
    harness.chord.handoffRequest('h1');
    await harness.listen(options, listener);
    expect(published).toEqual(['r1']);
  });

  describe('a manual test of a trigger takes nothing from its production run', () => {
    const id = 'w1/Chord Trigger';
    const filter = { events: ['confirm_request'] };

    /** Listens as the trigger does, and notes the ids that it is given. */
    const trigger = async (harness: Harness, production: boolean) => {
      const ids: string[] = [];
      const end = await harness.listen({ id, filter, production }, ({ request }) => ids.push(request!.id));
      return { ids, end };
    };

    test('tested first, activated then', async () => {
      const harness = await Harness.start('d2');
      const tested = await trigger(harness, false);
      harness.chord.confirmRequest('r1');
      await tested.end();
      const active = await trigger(harness, true);
      expect([tested.ids, active.ids]).toEqual([['r1'], ['r1']]);
    });

    test('activated first, tested while the request is open', async () => {
      const harness = await Harness.start('d2');
      const active = await trigger(harness, true);
      harness.chord.confirmRequest('r1');
      const tested = await trigger(harness, false);
      expect([tested.ids, active.ids]).toEqual([['r1'], ['r1']]);
    });

    test('both at once', async () => {
      const harness = await Harness.start('d2');
      const active = await trigger(harness, true);
      const tested = await trigger(harness, false);
      harness.chord.confirmRequest('r1');
      expect([tested.ids, active.ids]).toEqual([['r1'], ['r1']]);
    });

    test('and its production run gets each request once, whatever is tested between', async () => {
      const harness = await Harness.start('d2');
      const first = await trigger(harness, true);
      harness.chord.confirmRequest('r1');
      await first.end();
      const tested = await trigger(harness, false);
      const second = await trigger(harness, true);
      expect([first.ids, tested.ids, second.ids]).toEqual([['r1'], ['r1'], []]);
    });
  });

  test('requests that are open already are published to whoever comes, where wanted', async () => {
    const harness = await Harness.start('d1');
    harness.chord.confirmRequest('r1');
    const published: string[] = [];
    await harness.listen({ id: 'new' }, ({ request }) => published.push(`new ${request!.id}`));
    await harness.listen({ id: 'not', emitOpenRequests: false }, ({ request }) =>
      published.push(`not ${request!.id}`),
    );
    expect(published).toEqual(['new r1']);
  });

  test('an event that was given to one is plain data for all', async () => {
    const harness = await Harness.start('d2');
    harness.chord.confirmRequest('r1');
    const [event] = harness.published('confirm_request');
    expect(structuredClone(event)).toEqual(event);
    expect(event).toMatchObject({
      category: 'decision',
      session: { key: 'the-key', id: 'S1', name: 'default', project_directory: '/p', role: 'builder' },
      agent: { id: '', is_main: true },
      seq: 2,
      received_at: '2030-01-01T00:00:00.000Z',
      payload: { request_id: 'r1', needs_approval_rules: ['*'] },
      request: { kind: 'confirm', tool: 'shell', arguments: { command: 'git push' }, asked_because: ['*'] },
    });
  });
});

describe('what is not published twice', () => {
  test('of the prompts beside a request the first one is left out', async () => {
    const harness = await Harness.start('d2');
    const prompt = (): void =>
      harness.chord.push('notification', { reason: 'user_input_required', message: 'Look here.' });
    prompt();
    harness.chord.confirmRequest('r1');
    prompt();
    prompt();
    expect(harness.published('notification')).toHaveLength(2);
  });

  test('one for a request that is closed already is published', async () => {
    const harness = await Harness.start('d2');
    harness.chord.confirmRequest('r1');
    harness.chord.idle();
    harness.chord.push('notification', { reason: 'user_input_required', message: 'Look here.' });
    expect(harness.published('notification')).toHaveLength(1);
  });

  describe('whoever was not given the request gets its prompt', () => {
    const prompt = { reason: 'user_input_required', message: 'Look here.' };

    /** A listener of prompts and of what else is named; gives what it gets. */
    const listenFor = async (harness: Harness, id: string, filter: Partial<EventFilter>) => {
      const names: string[] = [];
      await harness.listen({ id, filter, emitOpenRequests: false }, ({ event }) => names.push(event));
      return names;
    };

    test('one that takes no requests, or not of this tool', async () => {
      const harness = await Harness.start('d2');
      const prompts = await listenFor(harness, 'prompts', { events: ['notification'] });
      const both = ['confirm_request', 'notification'];
      const writes = await listenFor(harness, 'writes', { events: both, toolNames: ['write'] });
      const all = await listenFor(harness, 'all requests', { events: both });
      harness.chord.confirmRequest('r1');
      harness.chord.push('notification', prompt);
      expect({ prompts, writes, all }).toEqual({
        prompts: ['notification'],
        writes: ['notification'],
        all: ['confirm_request'],
      });
    });

    test('one that came after the request, and was not given it', async () => {
      const harness = await Harness.start('d2');
      harness.chord.confirmRequest('r1');
      const late = await listenFor(harness, 'late', {});
      harness.chord.push('notification', prompt);
      expect(late).toEqual(['notification']);
    });

    test('one that wants what is suppressed, too', async () => {
      const harness = await Harness.start('d2');
      const all = await listenFor(harness, 'suppressed', { includeSuppressed: true });
      harness.chord.confirmRequest('r1');
      harness.chord.push('notification', prompt);
      expect(all).toEqual(['confirm_request', 'notification']);
    });
  });

  describe('a request that was first seen in a status', () => {
    const prompt = (harness: Harness): void =>
      harness.chord.push('notification', { reason: 'user_input_required', message: 'Loop decision.' });

    const seenInStatus = async (): Promise<Harness> => {
      const harness = await Harness.start('d2');
      harness.chord.pendingConfirm = { request_id: 'r1', tool_name: 'shell', args_json: '{}' };
      await harness.session.status({ diagnostics: false, includeModels: false });
      expect(harness.published('confirm_request')).toHaveLength(1);
      return harness;
    };

    test('leaves the next prompt, which is about something else', async () => {
      const harness = await seenInStatus();
      prompt(harness);
      expect(harness.published('notification')).toHaveLength(1);
    });

    test('and is pushed after all: then its prompt is left out, once', async () => {
      const harness = await seenInStatus();
      harness.chord.confirmRequest('r1');
      prompt(harness);
      expect(harness.published('notification')).toEqual([]);
      harness.chord.confirmRequest('r1');
      prompt(harness);
      expect(harness.published('confirm_request')).toHaveLength(1);
      expect(harness.published('notification')).toHaveLength(1);
    });
  });

  test('a durable question has no such prompt', async () => {
    const harness = await Harness.start('d3');
    harness.chord.questionRequest('q1');
    harness.chord.push('notification', { reason: 'user_input_required', message: 'Loop decision.' });
    expect(harness.published('notification')).toHaveLength(1);
  });

  test('another notification is no such prompt', async () => {
    const harness = await Harness.start('d2');
    harness.chord.confirmRequest('r1');
    harness.chord.push('notification', { reason: 'something_else', message: 'x' });
    expect(harness.published('notification')).toHaveLength(1);
  });

  test('a question that asks anew is raised as a request; a later revision is published as such', async () => {
    const harness = await Harness.start('d3');
    harness.chord.questionRequest('q1', { version: 2 }, 'question_updated');
    harness.chord.questionRequest('q1', { version: 3, question: 'Red, blue or green?' }, 'question_updated');
    expect(harness.published('question_request', 'question_updated').map(({ event }) => event)).toEqual([
      'question_request',
      'question_updated',
    ]);
    expect(await harness.session.requests({})).toMatchObject([
      { request: { question: 'Red, blue or green?' } },
    ]);
  });
});

describe('what is published of closed requests', () => {
  test('the end of a request without our answer, with why', async () => {
    const harness = await Harness.start('d2');
    harness.chord.questionRequest('q1');
    harness.chord.push('question_resolved', { request_id: 'q1', reason: 'no_response' });
    expect(harness.published('request_closed')).toMatchObject([
      {
        reason: 'expired',
        request: { id: 'q1' },
        summary: 'Nobody answered in time: Chord asks: Red or blue?',
      },
    ]);
  });

  test('not our own answer', async () => {
    const harness = await Harness.start('d3');
    harness.chord.confirmRequest('r1');
    await harness.confirm('r1', { action: 'deny' });
    expect(harness.published('request_closed')).toEqual([]);
  });
});

describe('events of our own', () => {
  test('a line that cannot be read is published, and counted', async () => {
    const harness = await Harness.start('d1');
    const events = (harness.chord.transport as unknown as { events: { problem(problem: object): void } })
      .events;
    events.problem({ reason: 'not_json', sample: 'Welcome!', bytes: 8 });
    expect(harness.published('protocol_error')).toMatchObject([
      { category: 'process', payload: { reason: 'not_json', sample: 'Welcome!', bytes: 8 } },
    ]);
    const { diagnostics } = await harness.session.status({ diagnostics: true, includeModels: false });
    expect(diagnostics).toMatchObject({ unreadable_lines: 1 });
  });

  test('what the registry announces', async () => {
    const harness = await Harness.start('d1');
    harness.session.announce('process_exited', { exit_code: 3 }, 'Chord ended with exit code 3.');
    expect(harness.published('process_exited')).toMatchObject([
      { summary: 'Chord ended with exit code 3.', payload: { exit_code: 3 } },
    ]);
  });

  test('an unknown event passes whole, and is nobody’s business but the listeners’', async () => {
    const harness = await Harness.start('d1');
    harness.chord.push('from_the_future', { deep: { field: [1, 2] } });
    expect(harness.published('from_the_future')).toMatchObject([
      { category: 'state', payload: { deep: { field: [1, 2] } } },
    ]);
    expect(harness.published('from_the_future')[0]?.text).toContain('[1,2]');
  });
});
