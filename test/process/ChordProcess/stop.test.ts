import { until } from '../../support/until';
import { FakeClock } from '../../support/FakeClock';
import { runs, zombies } from '../support/processes';
import { bundledHost, startHost } from '../support/host';
import { chordOf, settingsFor, startedChord } from '../support/fixture';

const pidsOf = (ready: { payload?: Record<string, unknown> | undefined }) => ready.payload?.pids as number[];

describe('stopping Chord', () => {
  it('closes its stdin, which is all that Chord needs, and tells the end as expected', async () => {
    const clock = new FakeClock();
    const { chord, seen } = await startedChord('echoes.mjs', {}, { clock });
    await chord.stop();
    expect(seen.exits).toEqual([{ exitCode: 0, signal: null, stderrTail: '', expected: true }]);
    expect(runs(chord.pid!)).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('B43: goes on to SIGTERM after 2 s and to SIGKILL after 3 s more, each to the whole group', async () => {
    const clock = new FakeClock();
    const { chord, seen, ready } = await startedChord('ignores-sigterm.mjs', {}, { clock });
    const stopped = chord.stop();
    await seen.seen('stdin_ended');
    await clock.advance(1999);
    expect(seen.envelopes.map(({ type }) => type)).not.toContain('sigterm');
    await clock.advance(1);
    await seen.seen('sigterm');
    await clock.advance(2999);
    expect(pidsOf(ready).map(runs)).toEqual([true, true]);
    await clock.advance(1);
    await stopped;
    await until(() => !pidsOf(ready).some(runs));
    expect(seen.exits).toMatchObject([{ exitCode: null, signal: 'SIGKILL', expected: true }]);
  });

  it('B43: is gone within the grace time by the real clock as well', async () => {
    const { chord, ready } = await startedChord('ignores-sigterm.mjs');
    await chord.stop();
    await until(() => !pidsOf(ready).some(runs), { limitMs: 2000 });
  });

  it('B43: ends what Chord leaves behind, also where it ignores SIGTERM and holds the pipes', async () => {
    const { chord, seen, ready } = await startedChord('leaves-grandchild.mjs');
    await chord.stop();
    expect(seen.exits).toMatchObject([{ exitCode: 0, expected: true }]);
    await until(() => !pidsOf(ready).some(runs), { limitMs: 2000 });
  });

  it('B43: ends what Chord leaves behind when it ends by itself', async () => {
    const { seen, ready } = await startedChord('leaves-grandchild.mjs');
    const [child = 0] = pidsOf(ready);
    process.kill(child, 'SIGKILL');
    await expect(seen.exited()).resolves.toMatchObject({ signal: 'SIGKILL', expected: false });
    await until(() => !pidsOf(ready).some(runs), { limitMs: 2000 });
  });

  it('tells the end though a program outside of the group holds the pipes open', async () => {
    const { chord, seen, ready } = await startedChord('leaves-daemon.mjs');
    await chord.stop();
    expect(seen.exits).toMatchObject([{ exitCode: 0, expected: true }]);
    process.kill(pidsOf(ready)[1]!, 'SIGKILL');
  });

  it('may be asked again and again, before and after the end', async () => {
    const { chord, seen } = await startedChord('echoes.mjs');
    await Promise.all([chord.stop(), chord.stop()]);
    await chord.stop();
    chord.killNow();
    expect(seen.exits).toHaveLength(1);
    const never = chordOf('echoes.mjs');
    await never.chord.stop();
    never.chord.killNow();
  });

  it('kills at once and synchronously in the last moment of n8n', async () => {
    const { chord, seen, ready } = await startedChord('ignores-sigterm.mjs');
    chord.killNow();
    await expect(seen.exited()).resolves.toMatchObject({ signal: 'SIGKILL', expected: true });
    await until(() => !pidsOf(ready).some(runs));
  });

  it('B44: leaves no defunct process behind after 20 rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { chord } = await startedChord('says-ready.sh');
      await chord.stop();
    }
    expect(zombies()).toBe(0);
  });
});

describe('the end of n8n', () => {
  it('B44: a killed host takes Chord with it, since nothing stands between the two', async () => {
    const settings = settingsFor('leaves-with-parent.mjs');
    const { process: host, line } = await startHost(bundledHost(), {
      settings,
      directory: settings.projectDirectory,
    });
    expect(runs(line.pid!)).toBe(true);
    host.kill('SIGKILL');
    await until(() => !runs(line.pid!), { limitMs: 3000 });
  });

  it('B44: process 1 is refused before anything else is looked at', async () => {
    const host = { pid: 1, platform: process.platform, environment: {} };
    const { chord, seen } = chordOf('', { command: '/nowhere', projectDirectory: '/nowhere' }, { host });
    await expect(chord.start(seen)).rejects.toMatchObject({ code: 'n8n_is_pid_1' });
  });
});
