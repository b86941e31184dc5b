import { ChordError } from '../../../../chord/errors';
import type { ResumeAnswer } from '../../../../chord/registry/waits/callN8n';
import { until } from '../../../support/until';
import { errorLike, request, start, stored, openCall, untilRetry, files } from '../support/waiting';

describe('the executions that wait', () => {
  test('are listed for their session, with the last try to go on', async () => {
    const { n8n, waits, clock } = start();
    const { call, end } = openCall();
    await waits.park(request(), call);
    const wait = {
      execution_id: 'e1',
      workflow: 'Tasks',
      node: 'Chord Send',
      since: '2030-01-01T00:00:00.000Z',
      last_try: null,
      problem: null,
    };
    expect(waits.list('c1:default::/p')).toEqual([wait]);
    expect(waits.list('another')).toEqual([]);
    await clock.advance(1000);
    n8n.answers = Array<ResumeAnswer>(1000).fill('later');
    end(1);
    await untilRetry(clock);
    expect(waits.list('c1:default::/p')).toEqual([{ ...wait, last_try: '2030-01-01T00:00:01.000Z' }]);
  });

  test('one that has not gone on for ten minutes is said once, with the cure, until it goes on', async () => {
    const { n8n, waits, clock, said } = start();
    n8n.answers = Array<ResumeAnswer>(1000).fill('later');
    n8n.reason = 'https://127.0.0.1:5678: self-signed certificate';
    await waits.park(request(), () => Promise.resolve(1));
    await untilRetry(clock);
    await clock.advance(599_000);
    expect(said).toEqual([]);
    await clock.advance(3_600_000);
    expect(said).toEqual([
      'Chord Send in workflow Tasks, execution e1 could not be resumed. For 10 minutes, all calls to resume this execution have failed (https://127.0.0.1:5678: self-signed certificate). Set "n8n Address" in the Chord credential to an address at which n8n can reach itself.',
    ]);
    expect(waits.list('c1:default::/p')[0]?.problem).toContain('self-signed certificate');
    // The cure counts for those that wait already.
    n8n.answers = [];
    waits.addressIs('c1:default::/p', 'http://n8n:5678');
    await clock.advance(5000);
    expect([n8n.waits.at(-1)?.n8nAddress, waits.list('c1:default::/p')]).toEqual(['http://n8n:5678', []]);
  });

  test('one whose resume call n8n holds back says so, and ends when n8n says that it was stopped', async () => {
    const { folder, n8n, waits, clock, said } = start();
    n8n.onCall = (_, token) => waits.claim('e1', token, stored);
    n8n.answers = ['unanswered'];
    await waits.park(request(), () => Promise.resolve(1));
    await until(() => n8n.tokens.length === 1);
    await clock.advance(600_000);
    expect(said).toEqual([expect.stringContaining('N8N_CONCURRENCY_PRODUCTION_LIMIT')]);
    n8n.says = ['over'];
    await clock.advance(60_000);
    await until(() => files(folder).length === 0);
    expect([waits.count, n8n.tokens.length]).toEqual([0, 1]);
  });

  test('one is ended by a person: its call is told, and its node fails', async () => {
    const { n8n, waits } = start();
    await waits.park(
      request(),
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () =>
            reject(
              new ChordError('interrupted', 'The wait was interrupted.', { details: { written: false } }),
            ),
          );
        }),
    );
    expect(await waits.cancel('e1', 'another session', 'Somebody')).toBe(false);
    expect(await waits.cancel('e2', 'c1:default::/p', 'Somebody')).toBe(false);
    expect(await waits.cancel('e1', 'c1:default::/p', 'Chord Control in workflow Care')).toBe(true);
    await until(() => n8n.tokens.length === 1);
    await expect(waits.take('e1/node/0/0')).rejects.toThrow(
      errorLike({
        code: 'interrupted',
        message:
          'Chord Control in workflow Care ended the wait of Chord Send in workflow Tasks, execution e1. The wait was interrupted.',
        facts: expect.objectContaining({ details: { written: false } }),
      }),
    );
  });

  test('one whose call has ended but that n8n does not let go on is ended by a person, too', async () => {
    const { n8n, waits, clock } = start();
    n8n.answers = ['later'];
    await waits.park(request(), () => Promise.resolve('the result'));
    await untilRetry(clock);
    expect(await waits.cancel('e1', 'c1:default::/p', 'Chord Control')).toBe(true);
    await clock.advance(1000);
    await expect(waits.take('e1/node/0/0')).rejects.toThrow(errorLike({ code: 'interrupted' }));
  });

  test('one that n8n lets run from older data is waited for anew, and called once', async () => {
    const { n8n, waits, clock } = start();
    const { call, end } = openCall();
    await waits.park(request(), call);
    await waits.park(request(), call);
    end('the result');
    await until(() => n8n.tokens.length === 1);
    await clock.advance(60_000);
    expect([n8n.tokens.length, await waits.take('e1/node/0/0')]).toEqual([1, 'the result']);
  });
});
