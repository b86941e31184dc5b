import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChordError } from '../../../chord/errors';
import { byteSize } from '../../../chord/session/state/byteSize';
import { KeptBytes, keptAtMost, KeptTotal } from '../../../chord/session/state/KeptBytes';
import { failure, settle } from '../support/promises';
import { finished, Harness } from '../support/Harness';

/** Megabytes, on a machine that does other things too. */
jest.setTimeout(60_000);

describe('the bytes of plain data', () => {
  test.each<[string, unknown, number]>([
    ['a text', 'x'.repeat(1000), 1000],
    ['a text of two bytes a character', '日'.repeat(1000), 2000],
    ['a list of texts', ['x'.repeat(500), 'y'.repeat(500)], 1000],
    ['what an error carries', new ChordError('timeout', 'm', { details: { text: 'x'.repeat(1000) } }), 1000],
  ])('%s', (_, data, atLeast) => {
    expect(byteSize(data)).toBeGreaterThanOrEqual(atLeast);
    expect(byteSize(data)).toBeLessThan(atLeast + 5000);
  });

  test('what nests deeper than calls can, and what leads back to itself', () => {
    const deep: { in?: unknown } = {};
    let inner = deep;
    for (let level = 0; level < 100_000; level += 1) inner = inner.in = {} as { in?: unknown };
    inner.in = deep;
    expect(byteSize(deep)).toBeGreaterThan(100_000);
  });
});

describe('what is kept', () => {
  test('the oldest is dropped first, once the session keeps too much', () => {
    const kept = new KeptBytes(100, new KeptTotal(1000));
    const dropped: string[] = [];
    for (const name of ['a', 'b', 'c']) kept.keep(40, () => dropped.push(name));
    expect(dropped).toEqual(['a']);
    expect(kept.bytes).toBe(80);
    kept.keep(200, () => dropped.push('large'));
    expect(dropped).toEqual(['a', 'b', 'c', 'large']);
    expect(kept.bytes).toBe(0);
  });

  test('over all sessions the oldest is dropped, whose ever it is', () => {
    const total = new KeptTotal(100);
    const [one, other] = [new KeptBytes(80, total), new KeptBytes(80, total)];
    const dropped: string[] = [];
    one.keep(40, () => dropped.push('one'));
    other.keep(40, () => dropped.push('other'));
    other.keep(40, () => dropped.push('newest'));
    expect(dropped).toEqual(['one']);
    expect([one.bytes, other.bytes, total.bytes]).toEqual([0, 80, 80]);
  });

  test('what was released, or belongs to a session that is forgotten, counts no more', () => {
    const total = new KeptTotal(100);
    const kept = new KeptBytes(100, total);
    const release = kept.keep(60, () => undefined);
    release();
    release();
    kept.keep(30, () => undefined);
    kept.clear();
    expect([kept.bytes, total.bytes, total.items.size]).toEqual([0, 0, 0]);
  });

  test('the limits are 16 MB a session and 256 MB in all', () => {
    expect(keptAtMost).toEqual({ session: 16 * 2 ** 20, all: 256 * 2 ** 20 });
  });
});

/** Bytes in use once nobody holds what is garbage: of this process, since promises show to nobody what they hold. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
async function used(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await settle();
    collect();
  }
  return process.memoryUsage().heapUsed;
}

jest.setTimeout(60_000);

describe('a session', () => {
  const large = (at: number): string => `${at} ${String.fromCharCode(97 + (at % 26)).repeat(200_000)}`;

  /** A session that nobody listens to, since a listener of a test keeps all that it hears. */
  async function begin() {
    const harness = await Harness.start('d1', { deaf: true });
    return { harness, before: await used() };
  }

  test('keeps at most 16 MB of 300 results of 200 kB, and says of a dropped one that it was', async () => {
    const { harness, before } = await begin();
    for (let at = 0; at < 300; at += 1) {
      const call = harness.send('go', { callId: `e/n/0/${at}` });
      await settle();
      harness.chord.turn(large(at));
      expect(finished(await call).text).toBe(large(at));
    }
    expect((await used()) - before).toBeLessThan(24 * 2 ** 20);
    expect((await failure(harness.send('go', { callId: 'e/n/0/0' }))).code).toBe('result_dropped');
    expect(finished(await harness.send('go', { callId: 'e/n/0/299' })).text).toBe(large(299));
    expect(harness.chord.messages).toHaveLength(300);
  });

  test('keeps at most 16 MB of 300 closed approvals, and knows of each how it ended', async () => {
    const { harness, before } = await begin();
    for (let at = 0; at < 300; at += 1) {
      harness.chord.work();
      harness.chord.confirmRequest(`r${at}`, { args_json: JSON.stringify({ command: large(at) }) });
      await harness.confirm(`r${at}`);
      harness.chord.idle();
    }
    harness.tried.length = 0;
    expect((await used()) - before).toBeLessThan(24 * 2 ** 20);
    expect(await failure(harness.confirm('r0'))).toMatchObject({
      code: 'already_answered',
      description: expect.stringContaining('Its details have been dropped since.') as string,
    });
    expect((await failure(harness.confirm('r299'))).description).not.toContain('dropped');
  });
});
