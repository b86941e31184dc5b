import { homedir } from 'node:os';
import { defaultFolder } from '../../../chord/registry/files/folders';
import { sessionsDirectory } from '../../../chord/registry/pin/sessionsDirectory';

const find = (added: Record<string, string>, inherited: NodeJS.ProcessEnv, runsElsewhere = false) => {
  const environment = Object.entries(added).map(([name, value]) => ({ name, value }));
  return sessionsDirectory({ runsElsewhere, environment }, inherited);
};

test.each([
  ['by default', {}, {}, `${homedir()}/.local/state/chord/sessions`],
  ['in the home of the user', {}, { HOME: '/home/n' }, '/home/n/.local/state/chord/sessions'],
  ['by XDG_STATE_HOME', {}, { HOME: '/home/n', XDG_STATE_HOME: '/x' }, '/x/chord/sessions'],
  ['by CHORD_STATE_DIR', {}, { XDG_STATE_HOME: '/x', CHORD_STATE_DIR: '/s' }, '/s/sessions'],
  ['by CHORD_SESSIONS_DIR', {}, { CHORD_STATE_DIR: '/s', CHORD_SESSIONS_DIR: '/e' }, '/e'],
  ["by the credential's variable", { CHORD_STATE_DIR: '/c' }, { CHORD_STATE_DIR: '/s' }, '/c/sessions'],
] as const)('sessions are looked for %s', (_, added, inherited, expected) => {
  expect(find(added, inherited)).toBe(expected);
});

test('not looked for where Chord runs elsewhere', () => {
  expect(find({}, { CHORD_STATE_DIR: '/s' }, true)).toBe('');
});

test("our own files lie in n8n's folder", () => {
  expect(defaultFolder({ N8N_USER_FOLDER: '/data' })).toBe('/data/.n8n/chord');
  expect(defaultFolder({ N8N_USER_FOLDER: '' })).toBe(`${homedir()}/.n8n/chord`);
  expect(defaultFolder({})).toBe(`${homedir()}/.n8n/chord`);
});
