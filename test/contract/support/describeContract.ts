import { ChordError } from '../../../chord/errors';
import type { ChordRegistry, ParkRequest } from '../../../chord/registry/contract';
import type {
  AnswerTarget,
  ChordEvent,
  ChordSession,
  ListenOptions,
  MessageRules,
} from '../../../chord/session/contract';
import { refusedAttempt } from '../../registry/audit/support/refusedAttempt';
import { FakeN8n } from '../../registry/waits/support/FakeN8n';
import { message, Rig } from '../../registry/support/Rig';
import { failure } from '../../session/support/promises';
import { until } from '../../support/until';

/** An implementation under test. */
export interface Implementation {
  registry: ChordRegistry;
  close(): void;
}

const callId = 'e1/node/0/0';

const waiting = { ...message('Go.', { callId }) };

const target = (requestId: string): AnswerTarget => {
  const { message: _, ...wait } = message('', { waitFor: 'nothing', callId: `e1/${requestId}/0/0` });
  return { ...wait, requestId, fromItem: true };
};

const listener = (more: Partial<ListenOptions> = {}): ListenOptions => ({
  id: 'w1/Chord Trigger',
  filter: { events: ['confirm_request'], mainAgentOnly: false, includeSuppressed: false, toolNames: [] },
  emitOpenRequests: false,
  production: true,
  ...more,
});

const rules: MessageRules = { whenRequestOpen: 'fail', heldRequests: [], callId };

/**
 * What every implementation of the registry's contract has to do, whichever way its calls take.
 *
 * @param implement makes the implementation, over an embedded registry whose Chords the test plays
 */
export function describeContract(implement: (embedded: ChordRegistry) => Implementation): void {
  let rig: Rig;
  let n8n: FakeN8n;
  let subject: Implementation;
  let registry: ChordRegistry;

  beforeEach(() => {
    rig = new Rig();
    rig.profile = 'd3';
    n8n = new FakeN8n();
    rig.registry = rig.newRegistry({ n8n });
    subject = implement(rig.registry);
    ({ registry } = subject);
  });

  afterEach(async () => {
    await registry.shutdown();
    subject.close();
  });

  const open = (): Promise<ChordSession> => registry.open(rig.request());

  const isSent = (text: string) =>
    until(() => rig.chord.messages.includes(text), { what: `"${text}" is sent` });

  describe('a session', () => {
    test('has the key that the registry tells without opening anything', async () => {
      const key = await registry.keyOf(rig.request());
      expect(rig.starts).toEqual([]);
      const session = await open();
      expect([session.key, (await session.describe()).key]).toEqual([key, key]);
    });

    test('tells its status, and stands in the list of its credential', async () => {
      const session = await open();
      expect(await session.status({ diagnostics: true, includeModels: true })).toMatchObject({
        running: true,
        models: expect.stringContaining('Model pool: alpha'),
      });
      expect(await registry.list('c1')).toMatchObject([{ session: { key: session.key } }]);
      expect(await registry.savedSessions(rig.request())).toEqual([]);
    });

    test('is not used any more once it was given back', async () => {
      const session = await open();
      await session.release();
      expect(await failure(session.describe())).toMatchObject({ code: 'internal' });
    });

    test('is stopped, unless that would disturb somebody', async () => {
      const session = await open();
      rig.chord.work();
      expect(await failure(registry.stop(session.key, { force: false }))).toMatchObject({
        code: 'session_busy',
        facts: {
          sessionKey: session.key,
          details: { reasons: [expect.stringContaining('a turn has been running')] },
        },
      });
      await registry.stop(session.key, { force: true });
      expect((await session.status({ diagnostics: false, includeModels: false })).running).toBe(false);
    });

    test('takes what Chord is told to do', async () => {
      const session = await open();
      expect((await session.models({})).current_pool).toBe('alpha');
      expect((await session.role({})).roles).toContainEqual({ name: 'builder', current: true });
      expect(await session.cancel()).toEqual({ cancelled: false });
      expect(await session.acknowledge()).toEqual({ unknown_inputs: [], transfer_lifted: false });
      expect(await failure(session.shell('ls'))).toMatchObject({ code: 'command_not_allowed' });
    });

    test('carries out commands that go as a message', async () => {
      const session = await open();
      rig.chord.nextReceipt = 'handled';
      expect(await session.command({ ...rules, command: 'loop_off' })).toEqual({ text: '' });
      const switched = session.switchSession({ ...rules, callId: 'e2', sessionId: '', force: false });
      await isSent('/new');
      rig.chord.push('session_switched', { session_id: 'S9' });
      expect(await switched).toMatchObject({ active_session_id: 'S9' });
    });
  });

  describe('a call', () => {
    test('comes to its result, a second one of its name too, and writes once', async () => {
      const session = await open();
      const calls = [session.send(waiting), session.send(waiting)];
      await isSent('Go.');
      rig.chord.turn('Done.');
      expect(await Promise.all(calls)).toMatchObject([
        { kind: 'finished', result: { text: 'Done.' } },
        { kind: 'finished', result: { text: 'Done.' } },
      ]);
      expect(rig.chord.messages).toEqual(['Go.']);
      await registry.runEnded('e1/node/0');
    });

    test('is ended by its name', async () => {
      const session = await open();
      const call = failure(session.send(waiting));
      await isSent('Go.');
      expect(await registry.cancelCall(callId)).toBe(true);
      expect(await call).toMatchObject({
        code: 'interrupted',
        facts: { details: { written: true } },
        description: expect.stringMatching(/./) as string,
      });
      expect(await registry.cancelCall(callId)).toBe(false);
    });

    test('fails with a ChordError', async () => {
      const session = await open();
      const error = await failure(session.send({ ...waiting, message: '' }));
      expect(error).toBeInstanceOf(ChordError);
      expect(error.code).toBe('empty_message');
    });
  });

  describe('a decision', () => {
    test('of each kind is proved, and stands in the audit', async () => {
      const session = await open();
      rig.chord.work();
      rig.chord.confirmRequest('r1');
      expect(await session.requests({ openOfKind: 'confirm' })).toMatchObject([
        { request: { id: 'r1' }, state: 'open' },
      ]);
      const allowed = await session.confirm({
        ...target('r1'),
        action: 'allow',
        denyReason: '',
        editedArguments: '',
        editSummary: '',
        rule: null,
      });
      expect(allowed.decision).toMatchObject({ action: 'allow', verified_by: 'event' });
      rig.chord.questionRequest('q1');
      const answered = await session.answer({
        ...target('q1'),
        action: 'answer',
        answers: ['Red'],
        text: '',
      });
      expect(answered.decision).toMatchObject({ action: 'answer', request_id: 'q1' });
      rig.chord.handoffRequest('h1');
      const denied = await session.handoff({
        ...target('h1'),
        action: 'deny',
        agent: '',
        pool: '',
        denyReason: 'Not now.',
      });
      expect(denied.decision).toMatchObject({ action: 'deny', verified_by: 'taken' });
      await until(async () => (await registry.decisions('c1', 10)).length === 3);
    });

    test('that was refused before it reached a session stands there too', async () => {
      const refused = { ...refusedAttempt('c1'), request_id: 'r1' };
      await registry.noteRefused(refused);
      expect(await registry.decisions('c1', 10)).toMatchObject([
        { request_id: 'r1', refused: refused.refused },
      ]);
    });
  });

  describe('a listener', () => {
    /** Listens, and acknowledges what `isDone` says. */
    const listen = async (
      session: ChordSession,
      isDone: (event: ChordEvent) => boolean,
      more = listener(),
    ) => {
      const given: [number, string][] = [];
      await session.listen(more, async (event, position) => {
        given.push([position, event.request!.id]);
        if (!isDone(event)) await new Promise<never>(() => undefined);
      });
      return given;
    };

    const isGiven = (given: unknown[], count: number) =>
      until(() => given.length >= count, { what: `${count} events are given` });

    test('gets events as plain data, in order, with their positions, until its lease is given back', async () => {
      const session = await open();
      const events: [ChordEvent, number][] = [];
      await session.listen(listener(), (...given) => events.push(given));
      rig.chord.confirmRequest('r1');
      rig.chord.confirmRequest('r2');
      await isGiven(events, 2);
      expect(events.map(([{ request }, position]) => [position, request?.id])).toEqual([
        [1, 'r1'],
        [2, 'r2'],
      ]);
      const [[event]] = events as [[ChordEvent, number]];
      expect(structuredClone(event)).toEqual({ ...event });
      expect(event.summary).toBe('Chord wants to run shell: git push');
      await session.release();
      const other = await open();
      const all = await listen(other, () => true, listener({ id: 'another' }));
      rig.chord.confirmRequest('r3');
      await isGiven(all, 1);
      expect(events).toHaveLength(2);
    });

    test('gets what it has not acknowledged once more, under its position, when it comes back', async () => {
      const first = await open();
      const before = await listen(first, ({ request }) => request!.id === 'r1');
      for (const id of ['r1', 'r2', 'r3']) rig.chord.confirmRequest(id);
      await isGiven(before, 3);
      await first.release();
      const session = await open();
      rig.chord.push('confirm_resolved', { request_id: 'r2', reason: 'denied' });
      const after = await listen(session, () => true);
      rig.chord.confirmRequest('r4');
      await isGiven(after, 2);
      expect(after).toEqual([
        [3, 'r3'],
        [4, 'r4'],
      ]);
      await session.release();
      const again = await listen(await open(), () => true, listener({ emitOpenRequests: true }));
      rig.chord.confirmRequest('r5');
      await isGiven(again, 1);
      expect(again).toEqual([[5, 'r5']]);
    });

    test('a manual test begins anew', async () => {
      const test = listener({ production: false });
      const first = await open();
      const before = await listen(first, () => false, test);
      rig.chord.confirmRequest('r1');
      await isGiven(before, 1);
      await first.release();
      const after = await listen(await open(), () => true, test);
      rig.chord.confirmRequest('r2');
      await isGiven(after, 1);
      expect(after).toEqual([[2, 'r2']]);
    });
  });

  describe('a suspended call', () => {
    const parking = (): ParkRequest => ({
      open: rig.request({ holder: 'Chord Send in workflow Tasks, execution e1' }),
      call: { method: 'send', request: waiting },
      executionId: 'e1',
      resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
      workflow: 'Tasks',
      node: 'Chord Send',
    });

    test('is claimed once by its token, and its outcome taken by its name', async () => {
      const claims: Promise<string>[] = [];
      const claim = (token: string, storedCalls: string[] | null = [callId]) =>
        registry.waits.claim({ executionId: 'e1', token, storedCalls });
      n8n.answers = ['unanswered'];
      n8n.onCall = (_, token) => {
        claims.push(claim('00'.repeat(32)), claim(token, []), claim(token), claim(token));
      };
      await registry.waits.park(parking());
      await isSent('Go.');
      rig.chord.turn('Done.');
      await until(() => claims.length > 0);
      expect(await Promise.all(claims)).toEqual(['refused', 'too_early', 'taken', 'refused']);
      expect(await registry.waits.take(callId)).toMatchObject({
        kind: 'finished',
        result: { text: 'Done.' },
      });
    });

    test('is not made where its session cannot be opened', async () => {
      const wrong = { ...parking(), open: rig.request({ address: { key: 'no key' } }) };
      expect(await failure(registry.waits.park(wrong))).toMatchObject({ code: 'invalid_settings' });
      expect(rig.starts).toEqual([]);
    });

    test('is ended from outside', async () => {
      await registry.waits.park(parking());
      await isSent('Go.');
      const key = await registry.keyOf(rig.request());
      expect(await registry.waits.cancel('another', key, 'Chord Control')).toBe(false);
      expect(await registry.waits.cancel('e1', key, 'Chord Control')).toBe(true);
      await until(() => n8n.tokens.length > 0);
      expect(await failure(registry.waits.take(callId))).toMatchObject({
        code: 'interrupted',
        message: expect.stringMatching(/^Chord Control/) as string,
      });
    });
  });
}
