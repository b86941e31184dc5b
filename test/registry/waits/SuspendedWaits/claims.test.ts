import { until } from '../../../support/until';
import { request, start, stored, openCall, never, untilRetry, files } from '../support/waiting';

describe('claims', () => {
  test('the token is good once, for its own execution only', async () => {
    const { n8n, waits } = start();
    const taken: unknown[] = [];
    n8n.onCall = (_, token) => {
      taken.push(
        waits.claim('another', token, stored),
        waits.claim('e1', 'ff'.repeat(32), stored),
        waits.claim('e1', '', stored),
        waits.claim('e1', token, stored),
        waits.claim('e1', token, stored),
      );
    };
    await waits.park(request(), () => Promise.resolve(1));
    await until(() => taken.length === 5);
    expect(taken).toEqual(['refused', 'refused', 'refused', 'taken', 'refused']);
  });

  test('a claim is given back when n8n itself refused the call, and the call is repeated with another token', async () => {
    const { n8n, waits, clock } = start();
    const taken: unknown[] = [];
    n8n.answers = ['later', 'later', 'resumed'];
    n8n.onCall = (_, token) => taken.push(waits.claim('e1', token, stored));
    await waits.park(request(), () => Promise.resolve(1));
    await untilRetry(clock);
    await clock.advance(1000);
    await until(() => taken.length === 3);
    expect(taken).toEqual(['taken', 'taken', 'taken']);
    expect(new Set(n8n.tokens).size).toBe(3);
  });

  test('a call that n8n has passed on and not answered is not made again, however long that takes', async () => {
    const { folder, n8n, waits, clock } = start();
    const taken: unknown[] = [];
    n8n.answers = ['unanswered'];
    n8n.onCall = (_, token) => taken.push(waits.claim('e1', token, stored), waits.claim('e1', token, stored));
    await waits.park(request(), () => Promise.resolve(1));
    await until(() => taken.length === 2);
    await clock.advance(24 * 3_600_000);
    expect([n8n.tokens.length, taken, files(folder).length]).toEqual([1, ['taken', 'refused'], 1]);
    // What became of it, the run of the node tells.
    expect(await waits.take('e1/node/0/0')).toBe(1);
    await until(() => files(folder).length === 0);
  });

  test('a call that was given up for lost may come through late, and is not made again then', async () => {
    const { n8n, waits, clock } = start();
    n8n.answers = ['later'];
    await waits.park(request(), () => Promise.resolve(1));
    await untilRetry(clock);
    expect(waits.claim('e1', n8n.tokens[0] ?? '', stored)).toBe('taken');
    await clock.advance(3_600_000);
    expect(n8n.tokens).toHaveLength(1);
  });

  test('no token is known while the call has not ended', async () => {
    const { waits } = start();
    await waits.park(request(), never);
    expect(waits.claim('e1', '00'.repeat(32), stored)).toBe('refused');
  });

  test('a call is too early while n8n would go on from older data, and claims nothing', async () => {
    const { n8n, waits, clock } = start();
    const taken: unknown[] = [];
    const asked: string[] = [];
    let isStored = false;
    n8n.answers = ['later', 'resumed'];
    n8n.onCall = (_, token) => {
      const look = (callId: string) => {
        asked.push(callId);
        return isStored;
      };
      taken.push(waits.claim('e1', token, look));
      isStored = true;
    };
    await waits.park(request(), () => Promise.resolve(1));
    await untilRetry(clock);
    await clock.advance(1000);
    await until(() => taken.length === 2);
    expect(taken).toEqual(['too_early', 'taken']);
    expect(asked).toEqual(['e1/node/0/0', 'e1/node/0/0']);
  });

  test('a wait whose data was never stored is resumed after a minute all the same', async () => {
    const { n8n, waits, clock } = start();
    const taken: unknown[] = [];
    n8n.answers = ['later', 'resumed'];
    n8n.onCall = (_, token) => taken.push(waits.claim('e1', token, () => false));
    const { call, end } = openCall();
    await waits.park(request(), call);
    await clock.advance(60_000);
    end(1);
    await until(() => taken.length === 1);
    expect(taken).toEqual(['taken']);
  });
});
