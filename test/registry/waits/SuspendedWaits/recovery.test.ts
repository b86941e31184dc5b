import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Calls } from '../../../../chord/registry/calls/Calls';
import type { ResumeAnswer } from '../../../../chord/registry/waits/callN8n';
import { until } from '../../../support/until';
import { errorLike, request, start, stored, never, untilRetry, files, orphan } from '../support/waiting';

describe('after a restart of n8n', () => {
  test('an execution whose call had not ended is resumed as interrupted, and says what is known', async () => {
    const before = start();
    await before.waits.park(request(), never);
    orphan(before.folder);

    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    await expect(after.waits.take('e1/node/0/0')).rejects.toThrow(
      errorLike({ code: 'interrupted', message: expect.stringContaining('execution e1') }),
    );
    await until(() => files(before.folder).length === 0);
  });

  test('an execution whose call had ended gets what it came to', async () => {
    const before = start();
    before.n8n.answers = Array<ResumeAnswer>(9).fill('later');
    await before.waits.park(request(), () => Promise.resolve({ kind: 'finished', result: { text: 'done' } }));
    await until(() => before.calls.read('e1/node/0/0')?.outcome);
    before.waits.shutdown();
    orphan(before.folder);

    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    expect(await after.waits.take('e1/node/0/0')).toEqual({ kind: 'finished', result: { text: 'done' } });
  });

  test('it is tried until n8n has started', async () => {
    const before = start();
    await before.waits.park(request(), never);
    orphan(before.folder);
    const after = start(before.folder);
    after.n8n.answers = ['later', 'later', 'later'];
    after.waits.recover();
    await untilRetry(after.clock);
    await after.clock.advance(10_000);
    expect(after.n8n.tokens).toHaveLength(4);
  });

  test('that another n8n on the machine does not know it means nothing while this one starts; later it does', async () => {
    const before = start();
    await before.waits.park(request(), never);
    orphan(before.folder);
    const { waits, n8n, clock } = start(before.folder);
    await clock.advance(600_000);
    n8n.answers = Array<ResumeAnswer>(99).fill('gone');
    waits.recover();
    await untilRetry(clock);
    await clock.advance(59_000);
    expect([n8n.tokens.length > 10, waits.count]).toEqual([true, 1]);
    await clock.advance(10_000);
    expect(waits.count).toBe(0);
  });

  test('it is not resumed while n8n may still look through what it left: five seconds from its first answer', async () => {
    const before = start();
    await before.waits.park(request(), never);
    orphan(before.folder);
    const { waits, n8n, clock } = start(before.folder);
    const claims: [number, unknown][] = [];
    let begun: number | undefined;
    n8n.answers = Array<ResumeAnswer>(20).fill('later');
    n8n.onCall = (_, token) => {
      // n8n passes no call on before it has begun to answer, however long that takes.
      if (n8n.tokens.length < 8) return;
      begun ??= clock.now();
      claims.push([clock.now() - begun, waits.claim('e1', token, stored)]);
    };
    waits.recover();
    await untilRetry(clock);
    for (let second = 0; second < 40; second += 1) await clock.advance(1000);
    expect(claims).toEqual(claims.map(([ms]) => [ms, ms < 5000 ? 'too_early' : 'taken']));
    expect([claims[0]?.[1], claims.at(-1)?.[1]]).toEqual(['too_early', 'taken']);
  });

  test('a wait of a process that lives is left alone, and a broken file hurts nobody', async () => {
    const before = start();
    await before.waits.park(request(), never);
    writeFileSync(join(before.folder, 'waits', 'broken.json'), '{"version":');
    const after = start(before.folder);
    after.waits.recover();
    await after.clock.advance(60_000);
    expect([after.n8n.tokens.length, after.waits.count]).toEqual([0, 0]);
  });
});

describe('what a restart says of a call that had not ended', () => {
  const said = async (prepare: (calls: Calls) => Promise<void>) => {
    const before = start();
    await before.waits.park(request(), never);
    await prepare(before.calls);
    orphan(before.folder);
    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    return await after.waits.take('e1/node/0/0').catch((error: unknown) => error);
  };
  const interrupted = (written: boolean, words: string) =>
    errorLike({
      code: 'interrupted',
      message: expect.stringContaining(words),
      facts: expect.objectContaining({ details: expect.objectContaining({ written }) }),
    });

  test('nothing was written: it was not sent, and can be sent again', async () => {
    expect(await said(async () => undefined)).toEqual(interrupted(false, 'Nothing was sent; send it again.'));
  });

  test('it was written, or about to be', async () => {
    expect(await said((calls) => calls.writing('e1/node/0/0', 'k'))).toEqual(
      interrupted(true, 'The message or answer had already been sent.'),
    );
  });

  test('its note is gone: the worst is believed', async () => {
    expect(await said((calls) => calls.runEnded('e1/node/0'))).toEqual(
      interrupted(true, 'The message or answer had already been sent.'),
    );
  });
});
