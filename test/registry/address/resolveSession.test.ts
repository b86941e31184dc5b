import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey } from '../../../chord/registry/address/key';
import { resolveSession } from '../../../chord/registry/address/resolveSession';
import { temporaryFolder } from '../../support/temporaryFolder';
import { settingsFor } from '../support/settings';

const folder = temporaryFolder();
const project = join(folder, 'p');
const outside = join(folder, 'outside');
for (const path of [project, outside, join(project, 'x')]) mkdirSync(path);
symlinkSync(project, join(folder, 'link'));

const named = (projectDirectory: string, sessionName = 'default', worktree = '') => ({
  projectDirectory,
  sessionName,
  worktree,
});

test.each(['', '/', '/.', '/x/..'])(
  'B52: the folder spelled with "%s" at its end is the same session',
  async (end) => {
    const parts = await resolveSession(settingsFor(project), named(project + end));
    expect(formatKey(parts)).toBe(`c1:default::${project}`);
  },
);

test('B52: a link to the folder is the same session', async () => {
  const parts = await resolveSession(settingsFor(project), named(join(folder, 'link')));
  expect(parts.projectDirectory).toBe(project);
});

test('empty names mean those of the credential', async () => {
  expect(await resolveSession(settingsFor(project), named('', ' ', ' '))).toEqual({
    credentialId: 'c1',
    name: 'default',
    worktree: '',
    projectDirectory: project,
  });
});

test('a key from an item names the same session', async () => {
  const parts = await resolveSession(settingsFor(project), named(project, 'night run', 'fix'));
  expect(await resolveSession(settingsFor(project), { key: formatKey(parts) })).toEqual(parts);
});

test('a key of another credential is refused', async () => {
  await expect(resolveSession(settingsFor(project), { key: `c2:default::${project}` })).rejects.toMatchObject(
    { code: 'wrong_session' },
  );
});

test.each([
  ['a name', named(outside)],
  ['a key', { key: `c1:default::${outside}` }],
])('a directory outside the allowed ones is refused by %s', async (_, address) => {
  await expect(resolveSession(settingsFor(project), address)).rejects.toMatchObject({
    code: 'directory_not_allowed',
  });
});

test.each([
  ['the worktree', named(project, 'default', '--resume')],
  ['the session name', named(project, 'a\nb')],
])('%s is refused where it would harm', async (_, address) => {
  await expect(resolveSession(settingsFor(project), address)).rejects.toMatchObject({
    code: 'invalid_settings',
  });
});

test.each([
  ['half an emoji in the session name', named(project, 'night \ud83d'), 'half a character'],
  ['a worktree with a slash', named(project, 'default', 'fix/1'), '"fix/1"'],
  ['a worktree with a blank', named(project, 'default', 'fix 1'), '"fix 1"'],
  ['a worktree that git cannot make a branch of', named(project, 'default', 'a..b'), '"a..b"'],
])('%s is refused by name, with what to do', async (_, address, named) => {
  const refused = resolveSession(settingsFor(project), address);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_name' });
  await expect(refused).rejects.toThrow(named);
});

test('names in any script, whole emoji and usual worktrees are taken', async () => {
  const parts = await resolveSession(settingsFor(project), named(project, '夜 \u{1f600}', 'fix-1.2_a'));
  expect(parts).toMatchObject({ name: '夜 \u{1f600}', worktree: 'fix-1.2_a' });
});

describe('a Chord that runs elsewhere', () => {
  const settings = settingsFor('/srv/p', { runsElsewhere: true });

  test.each(['/srv/p', '/srv/p/', '/srv/p/.', '//srv/./p'])('%s is one project', async (spelled) => {
    expect(formatKey(await resolveSession(settings, named(spelled)))).toBe('c1:default::/srv/p');
  });

  test('its own key names the same session', async () => {
    const parts = await resolveSession(settings, named('/srv/p/x', 'night run', 'fix/1'));
    expect(await resolveSession(settings, { key: formatKey(parts) })).toEqual(parts);
  });

  test.each([
    ['another spelling of the directory', 'c1:default::/srv/p/'],
    ['another spelling of the name', 'c1:%64efault::/srv/p'],
    ['a name with blanks around it', 'c1:%20default::/srv/p'],
  ])('a key with %s was made by somebody else', async (_, key) => {
    await expect(resolveSession(settings, { key })).rejects.toMatchObject({ code: 'wrong_session' });
  });

  test.each([
    ['a name', named('/etc')],
    ['a key', { key: 'c1:default::/etc' }],
    ['a name that only begins like it', named('/srv/pp')],
  ])('a directory outside the allowed ones is refused by %s', async (_, address) => {
    await expect(resolveSession(settings, address)).rejects.toMatchObject({ code: 'directory_not_allowed' });
  });

  const hostile = ['x; touch pwned; #', '$(id)', '`id`', 'a b', "a'b", 'a\nb', '~root', 'a|b', 'a\u00a0b'];

  test.each(hostile)('the shell of the far side never reads %j', async (text) => {
    const addresses = [
      named(`/srv/p/${text}`),
      named('/srv/p', 'default', text),
      { key: `c1:default::/srv/p/${text}` },
      { key: `c1:default:${encodeURIComponent(text)}:/srv/p` },
    ];
    for (const address of addresses) {
      await expect(resolveSession(settings, address)).rejects.toMatchObject({ code: 'invalid_settings' });
    }
  });

  test('a command that keeps words apart takes all names but options', async () => {
    const quoting = { ...settings, commandQuotes: true };
    const parts = await resolveSession(quoting, named('/srv/p/a b', 'default', 'x; y'));
    expect(parts).toMatchObject({ projectDirectory: '/srv/p/a b', worktree: 'x; y' });
    await expect(resolveSession(quoting, named('/srv/p', 'default', '-x'))).rejects.toMatchObject({
      code: 'invalid_settings',
    });
    await expect(resolveSession(quoting, named('/etc'))).rejects.toMatchObject({
      code: 'directory_not_allowed',
    });
  });
});
