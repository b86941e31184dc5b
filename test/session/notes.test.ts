import { Notes } from '../../chord/session/Notes';
import { noCalls } from './support/noCalls';

const writes = (result: string) => async (note: { written(): void }) => {
  note.written();
  return result;
};

test('calls without a name are not noted', async () => {
  const notes = new Notes(noCalls);
  expect(await notes.run('', writes('a'))).toBe('a');
  expect(await notes.run('', writes('b'))).toBe('b');
});

test('what was written is noted, whatever came after', async () => {
  const notes = new Notes(noCalls);
  await expect(
    notes.run('1', async (note) => {
      note.written();
      throw new Error('later');
    }),
  ).rejects.toThrow('later');
  await expect(notes.run('1', writes('b'))).rejects.toThrow('later');
});

test('what was withdrawn, or never written, may be tried again', async () => {
  const notes = new Notes(noCalls);
  await notes.run('1', async (note) => {
    note.written();
    note.withdrawn();
  });
  await notes.run('1', async () => undefined);
  expect(await notes.run('1', writes('b'))).toBe('b');
});

test('the oldest notes go first', async () => {
  const notes = new Notes(noCalls);
  for (let at = 0; at <= 1000; at += 1) await notes.run(`${at}`, writes('a'));
  expect(await notes.run('1', writes('b'))).toBe('a');
  expect(await notes.run('0', writes('b'))).toBe('b');
});
