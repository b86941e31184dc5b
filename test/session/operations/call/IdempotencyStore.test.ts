import { KeptBytes } from '../../../../chord/session/state/KeptBytes';
import { IdempotencyStore } from '../../../../chord/session/operations/call/IdempotencyStore';
import { noCalls } from '../../support/noCalls';

const writes = (result: string) => async (note: { written(): void }) => {
  note.written();
  return result;
};

test('calls without a name are not noted', async () => {
  const notes = new IdempotencyStore({ calls: noCalls, kept: new KeptBytes() });
  expect(await notes.run('', writes('a'))).toBe('a');
  expect(await notes.run('', writes('b'))).toBe('b');
});

test('what was written is noted, whatever came after', async () => {
  const notes = new IdempotencyStore({ calls: noCalls, kept: new KeptBytes() });
  await expect(
    notes.run('1', async (note) => {
      note.written();
      throw new Error('later');
    }),
  ).rejects.toThrow('later');
  await expect(notes.run('1', writes('b'))).rejects.toThrow('later');
});

test('what was withdrawn, or never written, may be tried again', async () => {
  const notes = new IdempotencyStore({ calls: noCalls, kept: new KeptBytes() });
  await notes.run('1', async (note) => {
    note.written();
    note.withdrawn();
  });
  await notes.run('1', async () => undefined);
  expect(await notes.run('1', writes('b'))).toBe('b');
});

test('the oldest outcomes go first, and are said to be dropped: nothing is written a second time', async () => {
  const notes = new IdempotencyStore({ calls: noCalls, kept: new KeptBytes() });
  for (let at = 0; at <= 1000; at += 1) await notes.run(`${at}`, writes('a'));
  expect(await notes.run('1', writes('b'))).toBe('a');
  let written = false;
  const again = notes.run('0', async (note) => {
    note.written();
    written = true;
  });
  await expect(again).rejects.toMatchObject({ code: 'result_dropped' });
  expect(written).toBe(false);
});

test('an outcome that was dropped here is given again from the disk, where it stands there', async () => {
  const disk: Promise<unknown>[] = [];
  const notes = new IdempotencyStore({
    calls: { ...noCalls, earlier: () => disk[0] },
    kept: new KeptBytes(100),
  });
  await notes.run('1', writes('x'.repeat(200)));
  await expect(notes.run('1', writes('b'))).rejects.toMatchObject({ code: 'result_dropped' });
  disk.push(Promise.resolve('from the disk'));
  expect(await notes.run('1', writes('b'))).toBe('from the disk');
});
