import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkDirectory } from '../../chord/process/checkDirectory';
import type { LaunchSettings } from '../../chord/process/LaunchSettings';
import { bundledHost, nobody, openFolder, startHost } from './support/host';
import { chordOf, fixture, settingsFor } from './support/fixture';
import { temporaryFolder } from '../support/temporaryFolder';

const check = (directory: string, changes: Partial<LaunchSettings> = {}) =>
  checkDirectory(settingsFor('silent.mjs', { projectDirectory: directory, ...changes }), directory);

describe('the project directory', () => {
  it('gives its real path, however it is spelled (B52)', async () => {
    const folder = temporaryFolder();
    const inner = path.join(folder, 'inner');
    mkdirSync(inner);
    symlinkSync(folder, path.join(folder, 'link'));
    for (const spelled of ['', '/', '/.', '/inner/..', '/link', '/link/inner/..']) {
      await expect(check(folder + spelled, { projectDirectory: folder })).resolves.toBe(folder);
    }
  });

  it('B47: says that it does not exist, before the program is looked at', async () => {
    const { chord, seen } = chordOf('', { command: '/nowhere/chord', projectDirectory: '/does/not/exist' });
    await expect(chord.start(seen)).rejects.toMatchObject({
      code: 'directory_missing',
      message: 'The project directory /does/not/exist does not exist.',
    });
  });

  it('B47: says that it is a file, or lies below one', async () => {
    const file = fixture('silent.mjs');
    await expect(check(file)).rejects.toMatchObject({
      code: 'directory_not_a_folder',
      message: `The project directory ${file} is a file, not a folder.`,
    });
    await expect(check(`${file}/inner`)).rejects.toMatchObject({
      code: 'directory_missing',
      message: `The project directory ${file}/inner cannot exist: part of its path is a file.`,
    });
  });

  it('B47: says that the user may not enter it, nor a folder above it', async () => {
    const folder = openFolder();
    const closed = path.join(folder, 'closed');
    mkdirSync(path.join(closed, 'inner'), { recursive: true });
    chmodSync(closed, 0o000);
    const host = bundledHost();
    for (const directory of [closed, path.join(closed, 'inner')]) {
      const settings = settingsFor('', { command: process.execPath, projectDirectory: directory });
      const { line } = await startHost(host, { settings, directory }, { user: nobody });
      expect(line).toMatchObject({
        code: 'directory_unreadable',
        message: `The user that runs n8n does not have permission to open the project directory ${directory}.`,
      });
    }
    chmodSync(closed, 0o755);
  });

  it('says that a link leads back to itself, that a path is not whole, and that there is none', async () => {
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(link, link);
    await expect(check(link)).rejects.toMatchObject({
      code: 'directory_missing',
      message: expect.stringContaining('leads back to itself') as string,
    });
    await expect(check('some/project')).rejects.toMatchObject({
      code: 'invalid_settings',
      message: 'The project directory some/project is not a full path.',
    });
    await expect(check(' ')).rejects.toMatchObject({ code: 'invalid_settings' });
  });

  it('knows the home folder by its sign', async () => {
    await expect(check('~', { allowedDirectories: ['~'] })).resolves.toBe(homedir());
  });

  it('allows the project directory of the credential and what lies below, without a list', async () => {
    const root = temporaryFolder();
    const [folder, inner, beside] = ['project', 'project/inner', 'project-beside'].map((name) => {
      mkdirSync(path.join(root, name));
      return path.join(root, name);
    }) as [string, string, string];
    await expect(check(inner, { projectDirectory: folder })).resolves.toBe(inner);
    await expect(check(beside, { projectDirectory: folder })).rejects.toMatchObject({
      code: 'directory_not_allowed',
      message: `The project directory ${beside} is outside the directories that the credential allows.`,
      description: expect.stringContaining('allowed directories in the Chord credential') as string,
    });
    await expect(check(folder, { projectDirectory: inner })).rejects.toMatchObject({
      code: 'directory_not_allowed',
    });
  });

  it('allows what a list names, by real paths', async () => {
    const [allowed, other] = [temporaryFolder(), temporaryFolder()];
    const link = path.join(other, 'link');
    symlinkSync(allowed, link);
    const allowedDirectories = ['', '/does/not/exist', link];
    await expect(check(allowed, { allowedDirectories })).resolves.toBe(allowed);
    await expect(check(other, { allowedDirectories })).rejects.toMatchObject({
      code: 'directory_not_allowed',
    });
  });

  it('is not fooled by a link inside an allowed folder', async () => {
    const [allowed, other] = [temporaryFolder(), temporaryFolder()];
    const link = path.join(allowed, 'link');
    symlinkSync(other, link);
    await expect(check(link, { allowedDirectories: [allowed] })).rejects.toMatchObject({
      code: 'directory_not_allowed',
      message: expect.stringContaining(`${link} (real path ${other})`) as string,
    });
  });

  it('allows everything below the root, where that is allowed', async () => {
    const folder = temporaryFolder();
    await expect(check(folder, { allowedDirectories: ['/'] })).resolves.toBe(folder);
  });

  it('is not looked at where Chord runs elsewhere', async () => {
    const runsElsewhere = true;
    const { chord, seen } = chordOf('echoes.mjs', { projectDirectory: '/on/another/machine', runsElsewhere });
    await expect(chord.start(seen)).resolves.toMatchObject({
      payload: { args: ['headless', '-d', '/on/another/machine'], cwd: process.cwd() },
    });
  });
});
