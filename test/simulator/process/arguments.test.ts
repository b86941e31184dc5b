import { execFileSync } from 'node:child_process';
import { SIMULATOR } from '../support/lab';
import { processes } from '../support/processes';

const all = processes();

describe('the command line', () => {
  const run = (...args: string[]) => {
    try {
      return execFileSync(SIMULATOR, args, {
        cwd: all.box.work,
        env: all.box.env,
        encoding: 'utf8',
        stdio: 'pipe',
        input: '',
      });
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return `${status} ${stderr}`;
    }
  };

  it('says its version as Chord does', () => expect(run('--version')).toMatch(/^chord version \S+/));

  it.each([
    [['brew'], '1 Error: unknown command "brew" for "chord"\n'],
    [['headless', '-x'], "1 Error: unknown shorthand flag: 'x' in -x\n"],
    [['headless', '-w'], "1 Error: flag needs an argument: 'w' in -w\n"],
    [['headless', '--resume'], '1 Error: flag needs an argument: --resume\n'],
    [['headless', '-cr', 'x'], '1 Error: --continue and --resume are mutually exclusive\n'],
    [['headless', '--version'], '1 Error: unknown flag: --version\n'],
    [
      ['headless', '--continue=maybe'],
      '1 Error: invalid argument "maybe" for "-c, --continue" flag: strconv.ParseBool: parsing "maybe": invalid syntax\n',
    ],
  ])('%j', (args, answer) => expect(run(...args)).toBe(answer));
});
