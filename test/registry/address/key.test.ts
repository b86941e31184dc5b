import fc from 'fast-check';
import { ChordError } from '../../../chord/errors';
import { fileNameOf, formatKey, parseKey } from '../../../chord/registry/address/key';

const parts = { credentialId: 'c1', name: 'default', worktree: '', projectDirectory: '/srv/shop' };

test('a key can be read by people', () => {
  expect(formatKey(parts)).toBe('c1:default::/srv/shop');
  expect(formatKey({ ...parts, name: 'a b:c', worktree: 'fix/1' })).toBe('c1:a%20b%3Ac:fix%2F1:/srv/shop');
});

test('what was put into a key comes out again', () => {
  const text = fc.string({ unit: 'grapheme' });
  const some = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, some, text, some, (credentialId, name, worktree, projectDirectory) => {
      const given = { credentialId, name, worktree, projectDirectory };
      expect(parseKey(formatKey(given))).toEqual(given);
    }),
  );
});

test.each(['', 'c1', 'c1:default:/srv', 'c1:%E0%A4%A:x:/srv', 'c1:::/srv'])('"%s" is no key', (key) => {
  expect(() => parseKey(key)).toThrow(ChordError);
  expect(() => parseKey(key)).toThrow('is not a session key');
});

test('B52: worktrees and session names in one folder are different sessions', () => {
  const keys = [
    parts,
    { ...parts, worktree: 'w' },
    { ...parts, name: 'w' },
    { ...parts, credentialId: 'c2' },
  ];
  expect(new Set(keys.map(formatKey)).size).toBe(4);
});

test('file names of keys are short, safe and different', () => {
  const names = ['c1:default::/srv/a', 'c1:default::/srv/b', `c1:default::/${'x'.repeat(5000)}`].map(
    fileNameOf,
  );
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/);
});
