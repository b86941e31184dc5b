import { failure, settle } from '../../../support/promises';
import { Harness } from '../../../support/Harness';
import { FakeChord } from '../../../support/FakeChord';
import { asking, questioning } from '../support/decisions';

describe('one answer counts', () => {
  test('B30: of two at once exactly one is written, and the other says which won', async () => {
    const { harness, chord } = await asking();
    const allow = harness.confirm('r1');
    const deny = harness.confirm('r1', { action: 'deny' });
    const error = await failure(deny);
    expect(error.code).toBe('already_answered');
    expect(error.facts.details).toMatchObject({ action: 'allow' });
    expect((await allow).decision.action).toBe('allow');
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('B60: again, at once and much later', async () => {
    const { harness, chord } = await asking();
    await harness.confirm('r1', { action: 'deny' });
    expect((await failure(harness.confirm('r1'))).code).toBe('already_answered');
    await harness.clock.advance(300_000);
    const late = await failure(harness.confirm('r1'));
    expect(late.code).toBe('already_answered');
    expect(late.message).toContain('denied');
    expect(late.message).toContain('2030-01-01T00:00:00.000Z');
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('a repeated call of the same name returns what the first came to', async () => {
    const { harness, chord } = await asking();
    const first = await harness.confirm('r1', { callId: '1/Confirm/0/0' });
    expect(await harness.confirm('r1', { callId: '1/Confirm/0/0' })).toEqual(first);
    expect(chord.of('confirm')).toHaveLength(1);
  });

  test('B59: an answered request is no key to the next one', async () => {
    const { harness, chord } = await asking();
    await harness.confirm('r1', { action: 'deny' });
    chord.confirmRequest('r2');
    expect((await failure(harness.confirm('r1'))).code).toBe('already_answered');
    expect(await harness.open()).toEqual(['r2']);
    expect(chord.of('confirm')).toHaveLength(1);
  });
});

describe('late answers', () => {
  test('B27: the time counts from arrival, and a later answer is refused', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
    expect(harness.published('confirm_request')[0]?.request).toMatchObject({
      expires_at: '2030-01-01T00:00:30.000Z',
      on_expiry: 'deny',
    });
    await harness.clock.advance(70_000);
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'expired' });
    expect(chord.written).toEqual([]);
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'expired' }]);
  });

  test.each<[string, 'idle' | 'status']>([
    ['the end of the work', 'idle'],
    ['a status without it', 'status'],
  ])(
    'B27: %s that comes in the same moment as its end does not hide that its time was over',
    async (_, how) => {
      const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
      jest.spyOn(harness.clock, 'now').mockReturnValue(Date.parse('2030-01-01T00:00:30.000Z'));
      if (how === 'idle') chord.idle();
      else {
        chord.pendingConfirm = null;
        await harness.session.status({ diagnostics: false, includeModels: false });
      }
      expect(harness.published('request_closed')).toMatchObject([{ reason: 'expired' }]);
    },
  );

  test('a question whose default Chord takes by itself is nobody’s consent', async () => {
    const { harness } = await questioning('d1', { timeout_ms: 30_000, default_answer: 'Red' });
    await harness.clock.advance(30_000);
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'defaulted' }]);
    expect(await harness.ledger('q1')).toEqual({ state: 'defaulted', action: null });
  });

  test('protocol B: a deadline counts', async () => {
    const { harness, chord } = await questioning('d2', { deadline: '2030-01-01T00:01:00.000Z' });
    await harness.clock.advance(60_000);
    expect((await failure(harness.answer('q1', { answers: ['Red'] }))).code).toBe('no_longer_pending');
    expect(chord.written).toEqual([]);
  });

  test('protocol C: Chord’s own clock decides', async () => {
    const { harness } = await questioning('d3', { deadline: '2030-01-01T00:01:00.000Z' });
    await harness.clock.advance(120_000);
    expect(await harness.open()).toEqual(['q1']);
  });

  test('an answer that is on its way does not expire', async () => {
    const { harness, chord } = await asking('d1', { timeout_ms: 30_000 });
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    await harness.clock.advance(9000);
    await harness.clock.advance(0);
    chord.answerAll();
    expect((await call).decision.verified_by).toBe('taken');
    await harness.clock.advance(60_000);
    expect(harness.published('request_closed')).toEqual([]);
  });

  test('B58: after the work has ended nothing is written, and the reason is said', async () => {
    const { harness, chord } = await asking();
    chord.idle();
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'ended' });
    expect(chord.written).toEqual([]);
  });

  test('B74: a late approval is neither a decision nor a message', async () => {
    const { harness, chord } = await asking();
    chord.idle();
    await failure(harness.confirm('r1', { denyReason: 'allowed' }));
    expect(chord.written).toEqual([]);
  });

  test('B73: a normal end after our answer is no ended request; one without is "ended", not "expired"', async () => {
    const { harness, chord } = await asking();
    chord.mute = true;
    const call = harness.confirm('r1');
    await settle();
    chord.idle();
    chord.answerAll();
    await call;
    expect(harness.published('request_closed')).toEqual([]);
    chord.confirmRequest('r2');
    chord.idle();
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'ended', request: { id: 'r2' } }]);
  });

  test('B62: a request that its process took along is lost', async () => {
    const { harness } = await asking();
    harness.chord.transport.exit({ exitCode: null, signal: 'SIGKILL', expected: false });
    await harness.attach(new FakeChord('d1'));
    expect(harness.published('request_closed')).toMatchObject([{ reason: 'lost', request: { id: 'r1' } }]);
    const error = await failure(harness.confirm('r1'));
    expect(error.code).toBe('no_longer_pending');
    expect(error.facts.details).toMatchObject({ reason: 'lost' });
  });

  test('without a process an answer is lost, and starts none', async () => {
    const harness = await Harness.start('d1', { cold: true });
    harness.nextChord = () => new FakeChord('d1');
    expect((await failure(harness.confirm('r1'))).code).toBe('no_longer_pending');
    expect(harness.starts).toBe(0);
  });
});
