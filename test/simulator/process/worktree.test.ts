import { execFileSync, spawnSync } from 'node:child_process';
import { SIMULATOR } from '../support/lab';
import { processes } from '../support/processes';

const all = processes();

describe('a worktree', () => {
  it('needs git', async () => {
    const directory = all.plainFolder();
    const places: [string, string][] = [[directory, '/not-a-repo']];
    await all.same('process-worktree-outside-git', { directory, args: ['-w', 'brew'], places });
  });

  it.each([
    ['a name with a slash', 'a/b', 'Error: worktree name "a/b" contains forbidden character "/"'],
    ['a repository without commits', 'brew', "fatal: not a valid object name: 'HEAD'"],
  ])('is refused for %s', (_, name, words) => {
    const directory = all.plainFolder();
    execFileSync('git', ['init', '-q', directory]);
    const { status, stderr } = spawnSync(
      process.execPath,
      [SIMULATOR, 'headless', '-d', directory, '-w', name],
      {
        env: all.box.env,
        encoding: 'utf8',
        input: '',
      },
    );
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  });

  it('is made, and entered the next time', async () => {
    await all.same('process-worktree', { args: ['-w', 'brew'] });
    await all.same('process-worktree-2-again', { args: ['-w', 'brew', '--continue'] });
  });
});
