import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PinStore } from '../../../chord/registry/pin/PinStore';
import { SessionPin } from '../../../chord/registry/pin/SessionPin';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';

const key = 'c1:default::/srv/shop';

const setUp = () => {
  const store = new PinStore(temporaryFolder());
  const pin = () => new SessionPin(store, key, '/srv/shop', new FakeClock());
  return { store, pin };
};

test('a key that was never used has no pin', async () => {
  expect(await setUp().pin().load()).toBeUndefined();
});

test('what was noted is there for the next n8n, readable by its user only', async () => {
  const { store, pin } = setUp();
  const first = pin();
  first.note('s1', 'empty');
  first.note('s1', 'used');
  await first.saved();

  expect(await pin().load()).toEqual({
    version: 1,
    key,
    session_id: 's1',
    content: 'used',
    project_directory: '/srv/shop',
    previous_session_id: '',
    updated_at: '2030-01-01T00:00:00.000Z',
  });
  const path = store.pathOf(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(path))).toHaveLength(1);
});

test('the pin follows to another session and remembers the former one', async () => {
  const { pin } = setUp();
  const first = pin();
  first.note('s1', 'used');
  first.note('s2', 'empty');
  await first.saved();
  expect(await pin().load()).toMatchObject({ session_id: 's2', content: 'empty', previous_session_id: 's1' });
});

test('a session that has messages is not called empty again', async () => {
  const { pin } = setUp();
  const first = pin();
  first.note('s1', 'used');
  first.note('s1', 'empty');
  first.note('s1', 'unknown');
  expect(first.current).toMatchObject({ session_id: 's1', content: 'used' });
});

test.each(['', '{"version":1', '{"version":2,"key":"c1:default::/srv/shop"}', 'null'])(
  'a damaged file (%s) is an error that names it, never a missing pin',
  async (content) => {
    const { store, pin } = setUp();
    const path = store.pathOf(key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    await expect(pin().load()).rejects.toMatchObject({ code: 'pin_ambiguous' });
    await expect(pin().load()).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe(content);
  },
);

test('a pin that cannot be written is kept in memory, and said so', async () => {
  const { store, pin } = setUp();
  writeFileSync(dirname(store.pathOf(key)), 'a file where the folder should be');
  const only = pin();
  only.note('s1', 'used');
  await only.saved();
  expect(only.problem).toMatch(/Files cannot be written to n8n's folder .*pins/);
  expect(await only.load()).toMatchObject({ session_id: 's1' });
});
