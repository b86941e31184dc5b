import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchSettings } from '../../../chord/process/LaunchSettings';
import { testConnection } from '../../../chord/process/testConnection';
import { chordOf, startedChord } from '../../process/support/fixture';
import { runs } from '../../process/support/processes';
import { sandbox, type Sandbox } from '../../simulator/support/lab';
import { until } from '../../support/until';
import { realChord } from './sideBySide';

let box: Sandbox;

beforeEach(() => {
  box = sandbox();
});

afterEach(() => box.remove());

/** Settings of the real Chord in a throw-away home and project. */
const launch = (changes: Partial<LaunchSettings> = {}): Partial<LaunchSettings> => ({
  command: realChord(),
  projectDirectory: box.work,
  environment: Object.entries(box.env).map(([name, value]) => ({ name, value })),
  ...changes,
});

const configuration = () => join(box.home, '.config', 'chord', 'config.yaml');

describe('the process layer on the real Chord', () => {
  it('starts it, asks its status, and stops it by closing its stdin', async () => {
    const { chord, seen, ready } = await startedChord('', launch());
    expect(ready.payload?.session_id).toMatch(/^\d+$/);
    await chord.write({ type: 'status' });
    await expect(seen.seen('status_response')).resolves.toMatchObject({
      payload: { session_id: ready.payload?.session_id, busy: false },
    });
    await chord.stop();
    expect(seen.exits).toMatchObject([{ exitCode: 0, signal: null, expected: true }]);
    expect(seen.problems).toEqual([]);
    expect(runs(chord.pid!)).toBe(false);
  });

  it('takes a line of 1 MiB, and is alive after it', async () => {
    const { chord, seen } = await startedChord('', launch());
    const size = 1_048_576 - `${JSON.stringify({ type: 'local_shell', command: '' })}\n`.length;
    await chord.write({ type: 'local_shell', command: `: ${'x'.repeat(size - 2)}` });
    await chord.write({ type: 'status' });
    await seen.seen('status_response');
    const codes = seen.envelopes.map(({ payload }) => payload?.code);
    expect(codes).not.toContain('stdin_line_too_long');
  });

  it('ends what its shell left running', async () => {
    const { chord, seen } = await startedChord('', launch());
    const file = join(box.root, 'pid');
    await chord.write({
      type: 'local_shell',
      command: `sh -c 'trap "" TERM; echo $$ > ${file}; sleep 600; sleep 600' > /dev/null 2>&1 & sleep 0.3; cat ${file}`,
    });
    const { payload } = await seen.seen('local_shell_result');
    const pid = Number(payload?.output);
    expect(pid).toBeGreaterThan(1);
    await chord.stop();
    await until(() => !runs(pid), { limitMs: 5000 });
  });

  it.each<[string, string, () => void, object]>([
    ['no configuration', 'no_configuration', () => rmSync(configuration()), {}],
    ['a broken configuration', 'invalid_configuration', () => writeFileSync(configuration(), '{'), {}],
    ['an unknown session', 'session_not_found', () => undefined, { resume: '19990101000000000' }],
    [
      'a worktree outside of git',
      'not_a_repository',
      () => rmSync(join(box.work, '.git'), { recursive: true }),
      { worktree: 'brew' },
    ],
  ])('says why it did not start: %s', async (_, code, prepare, args) => {
    prepare();
    const { chord, seen } = chordOf('', launch(), { args });
    await expect(chord.start(seen)).rejects.toMatchObject({ code, facts: { exitCode: 1 } });
  });

  it('says why it did not start where the directory is not ours to check', async () => {
    const projectDirectory = join(box.root, 'nowhere');
    const { chord, seen } = chordOf('', launch({ runsElsewhere: true, projectDirectory }));
    await expect(chord.start(seen)).rejects.toMatchObject({ code: 'directory_missing' });
    mkdirSync(projectDirectory);
    await startedChord('', launch({ runsElsewhere: true, projectDirectory }));
  });

  it('tests a credential without leaving a session', async () => {
    const settings = { ...launch(), commandArguments: [], allowedDirectories: [], runsElsewhere: false };
    const result = await testConnection({ ...settings, startTimeoutMs: 30_000 } as LaunchSettings);
    expect(result).toEqual({
      ok: true,
      message: expect.stringMatching(/^Chord started and was ready/) as string,
    });
    expect(() => rmSync(join(box.state, 'sessions'), { recursive: true })).toThrow('ENOENT');
  });
});
