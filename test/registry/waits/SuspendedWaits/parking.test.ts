import { statSync, readdirSync } from 'node:fs';
import { ChordError } from '../../../../chord/errors';
import { Owners } from '../../../../chord/registry/owners/Owners';
import { SuspendedWaits } from '../../../../chord/registry/waits/SuspendedWaits';
import { FakeClock } from '../../../support/FakeClock';
import { until } from '../../../support/until';
import { errorLike, request, start, openCall, never, untilRetry, files } from '../support/waiting';

test('a call that has ended resumes its execution, which takes the value, and the file goes', async () => {
  const { folder, n8n, waits } = start();
  await waits.park(request(), () => Promise.resolve({ kind: 'finished' }));
  await until(() => n8n.tokens.length === 1 && files(folder).length === 0);
  expect(await waits.take('e1/node/0/0')).toEqual({ kind: 'finished' });
});

test('nothing is resumed before the call has ended', async () => {
  const { n8n, waits, clock } = start();
  await waits.park(request(), never);
  await clock.advance(3_600_000);
  expect(n8n.tokens).toEqual([]);
});

test('a call that failed throws its own error in the resumed run', async () => {
  const { n8n, waits } = start();
  const failure = new ChordError('turn_failed', 'Chord has failed: no', {
    requestId: 'r1',
    details: { turn: 1 },
  });
  await waits.park(request(), () => Promise.reject(failure));
  await until(() => n8n.tokens.length === 1);
  await expect(waits.take('e1/node/0/0')).rejects.toThrow(
    errorLike({
      code: 'turn_failed',
      message: failure.message,
      facts: expect.objectContaining({ details: { turn: 1 } }),
    }),
  );
});

test('the file can be read by this user only', async () => {
  const { folder, waits } = start();
  await waits.park(request(), never);
  expect(files(folder).map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
});

describe('an address that is none', () => {
  test.each([
    ['in the credential', 'http:// no', request().resumeUrl],
    ['that n8n tells, with the credential’s', 'n8n:port', 'n8n.example/webhook-waiting/e1/node'],
  ])(
    '%s is no end of n8n: the execution waits, and what is wrong is told',
    async (_, n8nAddress, resumeUrl) => {
      const { clock, folder, calls } = start();
      const warnings: string[] = [];
      const owners = new Owners(folder, new FakeClock());
      const waits = new SuspendedWaits(owners, clock, calls, undefined, (problem) => warnings.push(problem));
      const call = openCall();
      await waits.park({ ...request(), resumeUrl }, call.call);
      waits.addressIs('c1:default::/p', n8nAddress);
      call.end(1);
      await until(async () => {
        await clock.advance(60_000);
        return warnings.length > 0;
      });
      expect(waits.list('c1:default::/p')).toMatchObject([
        { problem: expect.stringMatching(/Invalid URL.*Set "n8n Address"/) as string },
      ]);
    },
  );

  test('in the credential is refused before anything is noted or called', async () => {
    const { folder, waits } = start();
    const call = jest.fn(never);
    await expect(waits.park({ ...request(), n8nAddress: 'http:// no' }, call)).rejects.toThrow(
      errorLike({ code: 'invalid_settings' }),
    );
    expect(call).not.toHaveBeenCalled();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('the wait of an execution that is gone ends, with its file', async () => {
  const { folder, n8n, waits, clock } = start();
  n8n.answers = ['gone', 'gone'];
  const { call, end } = openCall();
  await waits.park(request(), call);
  await clock.advance(60_000);
  end(1);
  await untilRetry(clock);
  await clock.advance(1000);
  await until(() => waits.count === 0);
  await until(() => files(folder).length === 0);
  await clock.advance(600_000);
  expect(n8n.tokens).toHaveLength(2);
});

test('an execution that n8n has not stored yet is looked for again, however often', async () => {
  const { n8n, waits, clock } = start();
  n8n.answers = ['gone', 'gone', 'gone', 'resumed'];
  await waits.park(request(), () => Promise.resolve('the result'));
  await untilRetry(clock);
  await clock.advance(1000);
  await until(() => n8n.tokens.length === 4);
  expect(await waits.take('e1/node/0/0')).toBe('the result');
});

test('after shutdown nothing is resumed, and the file stays for the next n8n', async () => {
  const { folder, n8n, waits, clock } = start();
  const { call, end } = openCall();
  await waits.park(request(), call);
  waits.shutdown();
  end(1);
  await clock.advance(60_000);
  expect([n8n.tokens.length, files(folder).length]).toEqual([0, 1]);
});

test('a run without a parked call is interrupted: nothing is made up, nothing is written again', async () => {
  await expect(start().waits.take('unknown')).rejects.toThrow(errorLike({ code: 'interrupted' }));
});
