import { until } from '../../../support/until';
import { errorLike, request, start, openCall, never, untilRetry, files, orphan } from '../support/waiting';

describe('what an execution came to', () => {
  test('is kept until its node has run to its end, however long that takes', async () => {
    const { calls, n8n, waits, clock } = start();
    await waits.park(request('e1/node/0/0'), () => Promise.resolve('first'));
    await until(() => n8n.tokens.length === 1);
    await clock.advance(20 * 24 * 3_600_000);
    await waits.park(request('e1/node/0/1'), () => Promise.resolve('second'));
    await until(() => n8n.tokens.length === 2);
    const taken = async () => [await waits.take('e1/node/0/0'), await waits.take('e1/node/0/1')];
    expect([await taken(), await taken()]).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    await calls.runEnded('e1/node/0');
    await expect(waits.take('e1/node/0/0')).rejects.toThrow(errorLike({ code: 'interrupted' }));
  });

  test('is there after a restart, also of an item that had ended long before', async () => {
    const before = start();
    await before.waits.park(request('e1/node/0/0'), () => Promise.resolve({ text: 'first' }));
    await until(() => before.n8n.tokens.length === 1 && files(before.folder).length === 0);
    await before.waits.park(request('e1/node/0/1'), never);
    orphan(before.folder);

    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    expect(await after.waits.take('e1/node/0/0')).toEqual({ text: 'first' });
    await expect(after.waits.take('e1/node/0/1')).rejects.toThrow(errorLike({ code: 'interrupted' }));
  });

  test('is forgotten with an execution that is gone', async () => {
    const { calls, n8n, waits, clock } = start();
    n8n.answers = ['gone', 'gone'];
    const { call, end } = openCall();
    await waits.park(request(), call);
    await clock.advance(60_000);
    end(1);
    await untilRetry(clock);
    await clock.advance(1000);
    await until(() => calls.read('e1/node/0/0') === undefined);
  });
});
