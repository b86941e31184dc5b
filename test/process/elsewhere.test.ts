import { checkDirectory } from '../../chord/process/checkDirectory';
import type { LaunchSettings } from '../../chord/process/LaunchSettings';
import { chordOf, settingsFor } from './support/fixture';

const far = (changes: Partial<LaunchSettings> = {}) =>
  settingsFor('echoes.mjs', { projectDirectory: '/srv/project', runsElsewhere: true, ...changes });

const check = (directory: string, changes: Partial<LaunchSettings> = {}) =>
  checkDirectory(far(changes), directory);

describe('a directory where Chord runs elsewhere', () => {
  it('is checked by its text: the project directory and below, without a list', async () => {
    await expect(check('/srv/project/inner/')).resolves.toBe('/srv/project/inner');
    await expect(check('/srv/project-beside')).rejects.toMatchObject({ code: 'directory_not_allowed' });
    await expect(check('/srv')).rejects.toMatchObject({ code: 'directory_not_allowed' });
  });

  it('is checked against the list where there is one; what is no full path allows nothing', async () => {
    const allowedDirectories = [' /work/ ', '~', 'srv', '/a/../etc'];
    await expect(check('/work/shop', { allowedDirectories })).resolves.toBe('/work/shop');
    for (const directory of ['/srv/project', '/etc', '/root']) {
      await expect(check(directory, { allowedDirectories })).rejects.toMatchObject({
        code: 'directory_not_allowed',
      });
    }
    await expect(check('/anywhere', { allowedDirectories: ['/'] })).resolves.toBe('/anywhere');
  });

  it.each(['~/project', 'project', '/srv/project/../../etc', './x'])(
    'refuses %s: no full path',
    async (given) => {
      for (const commandQuotes of [false, true]) {
        await expect(check(given, { commandQuotes, allowedDirectories: ['/'] })).rejects.toMatchObject({
          code: 'invalid_settings',
          message: `The project directory ${given} is not a full path.`,
        });
      }
    },
  );

  it('may hold letters and digits of any script', async () => {
    const named = '/srv/project/日本語_Größe.1:a@b%c+d=e,f-g/हिन्दी';
    await expect(check(named)).resolves.toBe(named);
  });

  it('may hold other signs only if the command passes arguments on unchanged', async () => {
    const directory = '/srv/project/a b; touch pwned; #';
    await expect(check(directory)).rejects.toMatchObject({
      code: 'invalid_settings',
      description: expect.stringContaining('Command Passes Arguments Unchanged') as string,
    });
    await expect(check(directory, { commandQuotes: true })).resolves.toBe(directory);
  });
});

describe('the session id that a process is started with', () => {
  const start = (resume: string, changes: Partial<LaunchSettings> = {}) => {
    const settings = far(changes);
    const { chord, seen } = chordOf('echoes.mjs', settings, { args: { resume } });
    return chord.start(seen);
  };

  it('never reaches a far shell with signs in it', async () => {
    await expect(start('x; touch pwned; #')).rejects.toMatchObject({ code: 'invalid_settings' });
    await expect(start('2026-x')).resolves.toMatchObject({
      payload: { args: ['headless', '-d', '/srv/project', '-r', '2026-x'] },
    });
    await expect(start('a b', { commandQuotes: true })).resolves.toMatchObject({
      payload: { args: ['headless', '-d', '/srv/project', '-r', 'a b'] },
    });
  });

  it('is never an option, wherever Chord runs', async () => {
    await expect(start('--config=x', { commandQuotes: true })).rejects.toMatchObject({
      code: 'invalid_settings',
    });
    await expect(
      start('-x', { runsElsewhere: false, projectDirectory: process.cwd() }),
    ).rejects.toMatchObject({
      code: 'invalid_settings',
    });
  });
});
