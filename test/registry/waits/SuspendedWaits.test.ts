import { statSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChordError } from '../../../chord/errors';
import { Owners } from '../../../chord/registry/owners/Owners';
import type { ResumeAnswer, Tokens } from '../../../chord/registry/waits/callN8n';
import { SuspendedWaits } from '../../../chord/registry/waits/SuspendedWaits';
import type { Wait } from '../../../chord/registry/waits/WaitFile';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

/** An error with these fields. */
const errorLike = (fields: object) => expect.objectContaining(fields) as Error;

const request = (callId = 'e1/node/0/0') => ({
  callId,
  executionId: 'e1',
  resumeUrl: 'http://n8n.example/webhook-waiting/e1/node',
  n8nAddress: '',
  sessionKey: 'c1:default::/p',
  waiter: 'Chord Send in workflow Tasks, execution e1',
});

/** n8n, as the waits see it: says what the test wants, and keeps the tokens that it was given. */
class FakeN8n {
  readonly tokens: string[] = [];

  answers: ResumeAnswer[] = [];

  /** What n8n does with the call before it answers. */
  onCall: (wait: Wait, token: string) => void = () => undefined;

  call = async (wait: Wait, tokens: Tokens): Promise<ResumeAnswer> => {
    const token = tokens.next();
    this.tokens.push(token);
    this.onCall(wait, token);
    return this.answers.shift() ?? 'resumed';
  };
}

interface Started {
  folder: string;
  clock: FakeClock;
  n8n: FakeN8n;
  waits: SuspendedWaits;
}

function start(folder = temporaryFolder()): Started {
  const clock = new FakeClock();
  const n8n = new FakeN8n();
  return {
    folder,
    clock,
    n8n,
    waits: new SuspendedWaits(new Owners(folder, new FakeClock()), clock, n8n.call),
  };
}

const stored = () => true;

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
  await waits.park(request(), Promise.resolve({ kind: 'finished' }));
  await until(() => n8n.tokens.length === 1 && files(folder).length === 0);
  expect(waits.take('e1/node/0/0')).toEqual({ kind: 'finished' });
});

test('nothing is resumed before the call has ended', async () => {
  const { n8n, waits, clock } = start();
  await waits.park(request(), new Promise(() => undefined));
  await clock.advance(3_600_000);
  expect(n8n.tokens).toEqual([]);
});

test('a call that failed throws its own error in the resumed run', async () => {
  const { n8n, waits } = start();
  const failure = new ChordError('turn_failed', 'Chord has failed: no', {
    requestId: 'r1',
    details: { turn: 1 },
  });
  await waits.park(request(), Promise.reject(failure));
  await until(() => n8n.tokens.length === 1);
  expect(() => waits.take('e1/node/0/0')).toThrow(
    errorLike({
      code: 'turn_failed',
      message: failure.message,
      facts: expect.objectContaining({ details: { turn: 1 } }),
    }),
  );
});

test('the file can be read by this user only', async () => {
  const { folder, waits } = start();
  await waits.park(request(), new Promise(() => undefined));
  expect(files(folder).map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
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
    await waits.park(request(), Promise.resolve(1));
    await until(() => taken.length === 5);
    expect(taken).toEqual(['refused', 'refused', 'refused', 'taken', 'refused']);
  });

  test('a claim is given back when n8n itself refused the call, and the call is repeated with another token', async () => {
    const { n8n, waits, clock } = start();
    const taken: unknown[] = [];
    n8n.answers = ['later', 'later', 'resumed'];
    n8n.onCall = (_, token) => taken.push(waits.claim('e1', token, stored));
    await waits.park(request(), Promise.resolve(1));
    await until(() => clock.delays.length === 1);
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
    await waits.park(request(), Promise.resolve(1));
    await until(() => taken.length === 2);
    await clock.advance(24 * 3_600_000);
    expect([n8n.tokens.length, taken, files(folder).length]).toEqual([1, ['taken', 'refused'], 1]);
    // What became of it, the run of the node tells.
    expect(waits.take('e1/node/0/0')).toBe(1);
    await until(() => files(folder).length === 0);
  });

  test('a call that was given up for lost may come through late, and is not made again then', async () => {
    const { n8n, waits, clock } = start();
    n8n.answers = ['later'];
    await waits.park(request(), Promise.resolve(1));
    await until(() => clock.delays.length === 1);
    expect(waits.claim('e1', n8n.tokens[0] ?? '', stored)).toBe('taken');
    await clock.advance(3_600_000);
    expect(n8n.tokens).toHaveLength(1);
  });

  test('no token is known while the call has not ended', async () => {
    const { waits } = start();
    await waits.park(request(), new Promise(() => undefined));
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
    await waits.park(request(), Promise.resolve(1));
    await until(() => clock.delays.length === 1);
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
    let end: (value: unknown) => void = () => undefined;
    await waits.park(request(), new Promise((resolve) => (end = resolve)));
    await clock.advance(60_000);
    end(1);
    await until(() => taken.length === 1);
    expect(taken).toEqual(['taken']);
  });
});

test('the wait of an execution that is gone ends, with its file', async () => {
  const { folder, n8n, waits, clock } = start();
  n8n.answers = ['gone', 'gone'];
  let end: (value: unknown) => void = () => undefined;
  await waits.park(request(), new Promise((resolve) => (end = resolve)));
  await clock.advance(60_000);
  end(1);
  await until(() => clock.delays.length === 1);
  await clock.advance(1000);
  await until(() => waits.count === 0);
  await until(() => files(folder).length === 0);
  await clock.advance(600_000);
  expect(n8n.tokens).toHaveLength(2);
});

test('an execution that n8n has not stored yet is looked for again, however often', async () => {
  const { n8n, waits, clock } = start();
  n8n.answers = ['gone', 'gone', 'gone', 'resumed'];
  await waits.park(request(), Promise.resolve('the result'));
  await until(() => clock.delays.length === 1);
  await clock.advance(1000);
  await until(() => n8n.tokens.length === 4);
  expect(waits.take('e1/node/0/0')).toBe('the result');
});

test('after shutdown nothing is resumed, and the file stays for the next n8n', async () => {
  const { folder, n8n, waits, clock } = start();
  let end: (value: unknown) => void = () => undefined;
  await waits.park(request(), new Promise((resolve) => (end = resolve)));
  waits.shutdown();
  end(1);
  await clock.advance(60_000);
  expect([n8n.tokens.length, files(folder).length]).toEqual([0, 1]);
});

describe('after a restart of n8n', () => {
  test('an execution whose call had not ended is resumed as interrupted, and says what is known', async () => {
    const before = start();
    await before.waits.park(request(), new Promise(() => undefined));
    orphan(before.folder);

    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    expect(() => after.waits.take('e1/node/0/0')).toThrow(
      errorLike({ code: 'interrupted', message: expect.stringContaining('execution e1') }),
    );
    await until(() => files(before.folder).length === 0);
  });

  test('an execution whose call had ended gets what it came to', async () => {
    const before = start();
    before.n8n.answers = Array<ResumeAnswer>(9).fill('later');
    await before.waits.park(request(), Promise.resolve({ kind: 'finished', result: { text: 'done' } }));
    await until(() => readFileSync(files(before.folder)[0] ?? '', 'utf8').includes('done'));
    before.waits.shutdown();
    orphan(before.folder);

    const after = start(before.folder);
    after.waits.recover();
    await until(() => after.n8n.tokens.length === 1);
    expect(after.waits.take('e1/node/0/0')).toEqual({ kind: 'finished', result: { text: 'done' } });
  });

  test('it is tried until n8n has started', async () => {
    const before = start();
    await before.waits.park(request(), new Promise(() => undefined));
    orphan(before.folder);
    const after = start(before.folder);
    after.n8n.answers = ['later', 'later', 'later'];
    after.waits.recover();
    await until(() => after.clock.delays.length === 1);
    await after.clock.advance(10_000);
    expect(after.n8n.tokens).toHaveLength(4);
  });

  test('it is not resumed while n8n may still look through what it left: five seconds from its first answer', async () => {
    const before = start();
    await before.waits.park(request(), new Promise(() => undefined));
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
    await until(() => clock.delays.length === 1);
    for (let second = 0; second < 40; second += 1) await clock.advance(1000);
    expect(claims).toEqual(claims.map(([ms]) => [ms, ms < 5000 ? 'too_early' : 'taken']));
    expect([claims[0]?.[1], claims.at(-1)?.[1]]).toEqual(['too_early', 'taken']);
  });

  test('a wait of a process that lives is left alone, and a broken file hurts nobody', async () => {
    const before = start();
    await before.waits.park(request(), new Promise(() => undefined));
    writeFileSync(join(before.folder, 'waits', 'broken.json'), '{"version":');
    const after = start(before.folder);
    after.waits.recover();
    await after.clock.advance(60_000);
    expect([after.n8n.tokens.length, after.waits.count]).toEqual([0, 0]);
  });
});

test('a run without a parked call is interrupted: nothing is made up, nothing is written again', () => {
  expect(() => start().waits.take('unknown')).toThrow(errorLike({ code: 'interrupted' }));
});
