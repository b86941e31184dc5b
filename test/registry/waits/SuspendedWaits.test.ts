import { statSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChordError } from '../../../chord/errors';
import { Calls } from '../../../chord/registry/calls/Calls';
import { Owners } from '../../../chord/registry/owners/Owners';
import type { ResumeAnswer } from '../../../chord/registry/waits/callN8n';
import { SuspendedWaits } from '../../../chord/registry/waits/SuspendedWaits';
import type { Wait } from '../../../chord/registry/waits/waitFile';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';
import { FakeN8n } from './support/FakeN8n';

/** An error with these fields. */
const errorLike = (fields: object) => expect.objectContaining(fields) as Error;

const request = (callId = 'e1/node/0/0') => ({
  callId,
  executionId: 'e1',
  resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
  n8nAddress: '',
  sessionKey: 'c1:default::/p',
  waiter: 'Chord Send in workflow Tasks, execution e1',
  workflow: 'Tasks',
  node: 'Chord Send',
});

interface Started {
  folder: string;
  clock: FakeClock;
  n8n: FakeN8n;
  calls: Calls;
  waits: SuspendedWaits;
  /** What was said in n8n's log. */
  said: string[];
}

function start(folder = temporaryFolder()): Started {
  const clock = new FakeClock();
  const n8n = new FakeN8n();
  const calls = new Calls(folder, clock);
  const owners = new Owners(folder, new FakeClock());
  const said: string[] = [];
  const waits = new SuspendedWaits(owners, clock, calls, n8n, (problem) => said.push(problem));
  return { folder, clock, n8n, calls, waits, said };
}

const stored = () => true;

/** A call that goes on until the test ends it. */
function openCall() {
  let end: (value: unknown) => void = () => undefined;
  const promise = new Promise((resolve) => (end = resolve));
  return { call: () => promise, end: (value: unknown) => end(value) };
}

const never = () => new Promise<never>(() => undefined);

/** n8n has refused a resume call, which will be made again. */
const untilRetry = (clock: FakeClock) => until(() => clock.delays.some((ms) => ms <= 5000));

const files = (folder: string): string[] =>
  readdirSync(join(folder, 'waits')).map((name) => join(folder, 'waits', name));

/** Makes the waits of a folder look as if an n8n that is gone had left them. */
function orphan(folder: string): void {
  for (const file of files(folder)) {
    const wait = JSON.parse(readFileSync(file, 'utf8')) as Wait;
    writeFileSync(file, JSON.stringify({ ...wait, owner: { ...wait.owner, start: '1' } }));
  }
}

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

test('a run without a parked call is interrupted: nothing is made up, nothing is written again', async () => {
  await expect(start().waits.take('unknown')).rejects.toThrow(errorLike({ code: 'interrupted' }));
});

describe('a call that waits to be written', () => {
  const atOnce = async (waits: SuspendedWaits) =>
    await waits.stillWanted('e1/node/0/0').then(() => 'written');

  test('is written while its execution waits, and n8n is asked once', async () => {
    const { n8n, waits } = start();
    await waits.park(request(), never);
    expect([await atOnce(waits), n8n.asked]).toEqual(['written', 1]);
  });

  test('is written while n8n has not stored yet that the execution waits', async () => {
    const { n8n, waits } = start();
    await waits.park(request(), never);
    for (const said of ['runs', 'elsewhere'] as const) {
      n8n.says = [said];
      expect(await atOnce(waits)).toBe('written');
    }
  });

  test.each(['over', 'runs', 'elsewhere'] as const)(
    'is not written when the execution has been ended since: n8n says "%s"',
    async (said) => {
      const { n8n, waits, clock } = start();
      await waits.park(request(), never);
      await clock.advance(60_000);
      n8n.says = [said];
      await expect(atOnce(waits)).rejects.toThrow(
        errorLike({ code: 'interrupted', facts: expect.objectContaining({ details: { written: false } }) }),
      );
    },
  );

  test('is written once n8n answers, and not at all when it does not within a minute', async () => {
    const { n8n, waits, clock } = start();
    await waits.park(request(), never);
    n8n.says = ['silent', 'silent', 'waits'];
    const first = atOnce(waits);
    await untilRetry(clock);
    await clock.advance(10_000);
    expect(await first).toBe('written');
    n8n.says = ['silent'];
    const second = atOnce(waits).catch((error: unknown) => error);
    await untilRetry(clock);
    await clock.advance(61_000);
    expect(await second).toMatchObject({
      code: 'n8n_unreachable',
      description: expect.stringContaining('n8n Address') as string,
    });
  });

  test('is not written once somebody else has let its execution go on', async () => {
    const { waits } = start();
    await waits.park(request(), never);
    await expect(waits.take('e1/node/0/0')).rejects.toThrow(
      errorLike({ code: 'interrupted', facts: expect.objectContaining({ details: { written: false } }) }),
    );
    await expect(atOnce(waits)).rejects.toThrow(errorLike({ code: 'interrupted' }));
  });

  test('n8n is not asked about a call that is not suspended', async () => {
    const { n8n, waits } = start();
    expect([await atOnce(waits), n8n.asked]).toEqual(['written', 0]);
  });
});

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
