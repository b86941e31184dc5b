import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LaunchSettings } from '../../chord/process/LaunchSettings';
import { testConnection } from '../../chord/process/testConnection';
import { FakeClock } from '../support/FakeClock';
import { temporaryFolder } from '../support/temporaryFolder';
import { until } from '../support/until';
import { settingsFor } from './support/fixture';
import { runs } from './support/processes';

const host = (environment: NodeJS.ProcessEnv = {}) => ({
  pid: process.pid,
  platform: process.platform,
  environment: { PATH: process.env.PATH, ...environment },
});

/** Tests against a program that writes down what it was given. */
async function given(changes: Partial<LaunchSettings>, environment: NodeJS.ProcessEnv = {}) {
  const log = path.join(temporaryFolder(), 'log');
  const settings = settingsFor('writes-environment.mjs', { commandArguments: [log], ...changes });
  const result = await testConnection(settings, new FakeClock(), host(environment));
  const written = JSON.parse(readFileSync(log, 'utf8')) as {
    environment: Record<string, string | undefined>;
    pid: number;
  };
  return { result, ...written };
}

describe('the test of a credential', () => {
  it('starts Chord with a throw-away state folder, says so in one sentence, and leaves nothing', async () => {
    const environment = [{ name: 'CHORD_STATE_DIR', value: '/of/the/credential' }];
    const { result, environment: seen, pid } = await given({ environment }, { CHORD_SESSIONS_DIR: '/mine' });
    expect(result).toEqual({ ok: true, message: 'Chord started and was ready after 0.0 s.' });
    const state = seen.CHORD_STATE_DIR ?? '';
    expect(state).toContain('chord-test-');
    expect(seen.CHORD_SESSIONS_DIR).toBe(path.join(state, 'sessions'));
    expect(existsSync(state)).toBe(false);
    expect(runs(pid)).toBe(false);
  });

  it('does not move the sessions where nobody did, nor the state where Chord runs elsewhere', async () => {
    expect((await given({})).environment).not.toHaveProperty('CHORD_SESSIONS_DIR');
    const { environment } = await given({ runsElsewhere: true }, { CHORD_STATE_DIR: '/mine' });
    expect(environment.CHORD_STATE_DIR).toBe('/mine');
  });

  it.each([
    [60_000, 30],
    [5_000, 5],
  ])(
    'with a start time limit of %s ms waits for %s s, and names tool servers',
    async (startTimeoutMs, seconds) => {
      const clock = new FakeClock();
      const result = testConnection(settingsFor('silent.mjs', { startTimeoutMs }), clock, host());
      await until(() => clock.pending > 0);
      await clock.advance(seconds * 1000);
      const { ok, message } = await result;
      expect(ok).toBe(false);
      expect(message).toContain(`was not ready within ${seconds} s`);
      expect(message).toContain('MCP');
    },
  );

  it('masks the values of the credential, and says what to do', async () => {
    const settings = settingsFor('tells-secret.mjs', {
      environment: [{ name: 'MY_TOKEN', value: 'sesame-open' }],
    });
    await expect(testConnection(settings, new FakeClock(), host())).resolves.toEqual({
      ok: false,
      message:
        'Chord ended with exit code 2 before it was ready: cannot log in with *** (To see the full reason, run the same command in a terminal as the user that runs n8n).',
    });
  });

  it('refuses settings that cannot be used in the same way', async () => {
    const settings = settingsFor('silent.mjs', { environment: [{ name: '', value: 'sesame-open' }] });
    const { ok, message } = await testConnection(settings, new FakeClock(), host());
    expect(ok).toBe(false);
    expect(message).toContain('has no name');
  });
});
