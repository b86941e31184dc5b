import {
  childEnvironment,
  inheritedNames,
  inheritedPrefixes,
  inheritedWindowsNames,
} from '../../chord/process/environment';
import type { HostProcess } from '../../chord/process/LaunchSettings';
import { startedChord } from './support/fixture';

const host = (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux'): HostProcess => ({
  pid: 42,
  platform,
  environment,
});

/** What n8n's process holds and the agent's shell must never see. */
const secrets = {
  N8N_ENCRYPTION_KEY: 'secret-n8n',
  DB_POSTGRESDB_PASSWORD: 'secret-db',
  QUEUE_BULL_REDIS_PASSWORD: 'secret-redis',
  AWS_SECRET_ACCESS_KEY: 'secret-aws',
  WEBHOOK_URL: 'https://secret-host',
  EXECUTIONS_MODE: 'secret-mode',
  NODE_ENV: 'secret-environment',
  NODE_OPTIONS: '--title=secret-options',
};

describe('the environment of the child', () => {
  it('inherits these names and no others', () => {
    expect(inheritedNames).toEqual(
      'PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR SSH_AUTH_SOCK HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO'.split(
        ' ',
      ),
    );
    expect(inheritedPrefixes).toEqual(['LC_', 'XDG_', 'CHORD_']);
    expect(inheritedWindowsNames).toEqual(
      'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES ALLUSERSPROFILE PUBLIC COMPUTERNAME OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE'.split(
        ' ',
      ),
    );
  });

  it('B24: inherits none of the secrets of n8n', () => {
    const kept = { PATH: '/bin', HOME: '/home/me', LANG: 'en_US.UTF-8', LC_ALL: 'C', XDG_STATE_HOME: '/x' };
    expect(childEnvironment(host({ ...secrets, ...kept }), [])).toEqual(kept);
  });

  it('B24: a real child sees none of them, but PATH, HOME, LANG and what the credential names', async () => {
    const { PATH, HOME } = process.env;
    const environment = { ...secrets, PATH, HOME, LANG: 'en_US.UTF-8' };
    const { ready } = await startedChord(
      'echoes.mjs',
      { environment: [{ name: 'FOO', value: 'named in credential' }] },
      { host: { pid: process.pid, platform: process.platform, environment } },
    );
    expect(ready.payload?.environment).toMatchObject({
      PATH,
      HOME,
      LANG: 'en_US.UTF-8',
      FOO: 'named in credential',
    });
    expect(JSON.stringify(ready)).not.toContain('secret');
  });

  it('B48: adds the variables of the credential instead of replacing all', async () => {
    const environment = [
      { name: 'FOO', value: '1' },
      { name: 'EMPTY', value: '' },
      { name: 'ODD', value: 'a=b\nc "d" $HOME' },
    ];
    const { ready } = await startedChord('echoes.mjs', { environment });
    expect(ready.payload?.environment).toMatchObject({
      FOO: '1',
      EMPTY: '',
      ODD: 'a=b\nc "d" $HOME',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
    });
  });

  it('lets the credential replace what is inherited, and the caller replace both', () => {
    const inherited = host({ HOME: '/inherited', CHORD_STATE_DIR: '/inherited' });
    const added = [
      { name: 'HOME', value: '/added' },
      { name: 'CHORD_STATE_DIR', value: '/added' },
    ];
    expect(childEnvironment(inherited, added, { CHORD_STATE_DIR: '/extra' })).toEqual({
      HOME: '/added',
      CHORD_STATE_DIR: '/extra',
    });
  });

  it('lets the credential name what is not inherited', () => {
    expect(childEnvironment(host(secrets), [{ name: 'NODE_ENV', value: 'test' }])).toEqual({
      NODE_ENV: 'test',
    });
  });

  it.each([
    ['an empty name', { name: '', value: 'x' }],
    ['a name with =', { name: 'A=B', value: 'x' }],
    ['a name with a zero byte', { name: 'A\0', value: 'x' }],
    ['a value with a zero byte', { name: 'A', value: 'secret\0value' }],
  ])('refuses %s without telling the value', (_, variable) => {
    let message = '';
    try {
      childEnvironment(host({}), [variable]);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_settings' });
      message = String(error);
    }
    expect(message).toContain('environment variable');
    expect(message).not.toContain('secret');
  });

  it('does not tell cases apart on Windows', () => {
    const inherited = host(
      { Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', n8n_encryption_key: 'secret' },
      'win32',
    );
    expect(childEnvironment(inherited, [{ name: 'PATH', value: 'C:\\Tools' }])).toEqual({
      PATH: 'C:\\Tools',
      SystemRoot: 'C:\\Windows',
    });
  });
});
