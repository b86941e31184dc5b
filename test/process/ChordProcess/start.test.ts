import { until } from '../../support/until';
import { FakeClock } from '../../support/FakeClock';
import { temporaryFolder } from '../../support/temporaryFolder';
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { chordOf, fixture, startedChord } from '../support/fixture';
import { runs } from '../support/processes';

const root = path.dirname(fixture('silent.mjs'));

describe('starting Chord', () => {
  it('gives ready first to the listener, then to the caller', async () => {
    const { seen, ready, chord } = await startedChord('noisy.mjs');
    expect(ready).toEqual({ type: 'ready', payload: { session_id: 'S1' } });
    expect(seen.envelopes[0]).toBe(ready);
    expect(runs(chord.pid!)).toBe(true);
  });

  it.each([
    ['a new session', {}, []],
    ['the latest session', { continue: true }, ['-c']],
    ['a session by its id', { resume: 'S7', continue: true }, ['-r', 'S7']],
    ['a worktree', { worktree: 'brew', resume: '' }, ['-w', 'brew']],
    ['both', { resume: 'S7', worktree: 'a b; rm -rf "$HOME"' }, ['-r', 'S7', '-w', 'a b; rm -rf "$HOME"']],
  ])('asks for %s, by an argument array and in the project directory', async (_, args, expected) => {
    const changes = { commandArguments: ['--first', 'second word'] };
    const { ready } = await startedChord('echoes.mjs', changes, { args });
    expect(ready.payload).toMatchObject({
      args: ['--first', 'second word', 'headless', '-d', root, ...expected],
      cwd: root,
    });
  });

  it('refuses an argument that no command line can hold', async () => {
    const { chord, seen } = chordOf('echoes.mjs', {}, { args: { resume: 'S\0' } });
    await expect(chord.start(seen)).rejects.toMatchObject({ code: 'invalid_settings' });
  });

  it('sets what the caller needs for itself over everything else', async () => {
    const environment = [{ name: 'CHORD_STATE_DIR', value: '/of/the/credential' }];
    const extraEnvironment = { CHORD_STATE_DIR: '/throw/away' };
    const { ready } = await startedChord('echoes.mjs', { environment }, { extraEnvironment });
    expect(ready.payload?.environment).toMatchObject(extraEnvironment);
  });

  it('B45: gives up after the time limit, and the process is gone by then', async () => {
    const clock = new FakeClock();
    const { chord, seen } = chordOf('silent.mjs', { startTimeoutMs: 2000 }, { clock });
    const failure = chord.start(seen).catch((error: unknown) => error);
    const pid = await until(() => chord.pid);
    await clock.advance(1999);
    expect(runs(pid)).toBe(true);
    await clock.advance(1);
    await expect(failure).resolves.toMatchObject({
      code: 'start_timeout',
      message: expect.stringContaining('was not ready within') as string,
      facts: { signal: 'SIGTERM' },
    });
    expect(runs(pid)).toBe(false);
    expect(seen.exits).toEqual([]);
    expect(clock.pending).toBe(0);
    await startedChord('echoes.mjs');
  });

  it('B45: kills one that ignores SIGTERM as well', async () => {
    const clock = new FakeClock();
    const file = path.join(temporaryFolder(), 'pid');
    const changes = { startTimeoutMs: 2000, commandArguments: [file] };
    const { chord, seen } = chordOf('deaf.mjs', changes, { clock });
    const failure = chord.start(seen).catch((error: unknown) => error);
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    await clock.advance(2000 + 1000);
    await expect(failure).resolves.toMatchObject({ code: 'start_timeout', facts: { signal: 'SIGKILL' } });
    expect(runs(chord.pid!)).toBe(false);
  });

  it('B45: takes a program that only writes something else for another one, secrets masked', async () => {
    const clock = new FakeClock();
    const environment = [{ name: 'TOKEN', value: 'sesame-open' }];
    const { chord, seen } = chordOf('noise-only.mjs', { startTimeoutMs: 2000, environment }, { clock });
    const failure = chord.start(seen).catch((error: unknown) => error);
    await until(() => seen.problems[0]);
    await clock.advance(2000);
    await expect(failure).resolves.toMatchObject({
      code: 'not_chord',
      message: expect.stringContaining('Instead, it wrote: Welcome to something else, token=***') as string,
    });
    expect(seen.problems[0]?.sample).toBe('Welcome to something else, token=***');
  });

  it('reads over noise before ready, and tells it', async () => {
    const { seen } = await startedChord('noise-before-ready.mjs');
    expect(seen.problems).toEqual([
      { reason: 'not_json', sample: 'Last login: today', bytes: 17 },
      { reason: 'not_an_envelope', sample: '{"type":"system","payload":{}}', bytes: 30 },
    ]);
    expect(seen.envelopes.map(({ type }) => type)).toEqual(['ready']);
  });

  it('says that it was stopped while it started', async () => {
    const { chord, seen } = chordOf('silent.mjs');
    const failure = chord.start(seen).catch((error: unknown) => error);
    const pid = await until(() => chord.pid);
    await chord.stop();
    await expect(failure).resolves.toMatchObject({ code: 'interrupted' });
    expect(runs(pid)).toBe(false);
  });

  it('starts nothing once it was stopped', async () => {
    const { chord, seen } = chordOf('silent.mjs');
    await chord.stop();
    await expect(chord.start(seen)).rejects.toMatchObject({ code: 'interrupted' });
    expect(chord.pid).toBeUndefined();
  });

  it('is used once', async () => {
    const { chord, seen } = await startedChord('echoes.mjs');
    await expect(chord.start(seen)).rejects.toMatchObject({ code: 'internal' });
    await chord.write({ type: 'cancel' });
    await seen.seen('echo');
  });

  it('says that a command line is too long for the system', async () => {
    const { chord, seen } = chordOf('echoes.mjs', { commandArguments: ['x'.repeat(3_000_000)] });
    await expect(chord.start(seen)).rejects.toMatchObject({
      code: 'start_failed',
      description: 'The command line and the environment together are too long.',
    });
  });

  it('masks the values of the credential in what it says', async () => {
    const environment = [{ name: 'MY_TOKEN', value: 'sesame-open' }];
    const { chord, seen } = chordOf('tells-secret.mjs', { environment });
    const failure = await chord.start(seen).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'Chord ended with exit code 2 before it was ready: cannot log in with ***',
      facts: { stderrTail: 'cannot log in with ***\n' },
    });
    const missing = chordOf('', { command: '/opt/sesame-open/chord', environment });
    await expect(missing.chord.start(missing.seen)).rejects.toMatchObject({
      message: expect.stringContaining('/opt/***/chord') as string,
    });
  });
});
