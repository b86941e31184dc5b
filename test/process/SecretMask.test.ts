import { ChordError } from '../../chord/errors';
import { SecretMask, secretValues } from '../../chord/process/SecretMask';

const named = (variables: Record<string, string>) =>
  secretValues(Object.entries(variables).map(([name, value]) => ({ name, value })));

describe('what is secret of an environment', () => {
  it('is what its name says', () => {
    const names = 'API_KEY token MY_SECRET dbPassword SSH_PASSPHRASE BASIC_AUTH CREDENTIALS'.split(' ');
    expect(named(Object.fromEntries(names.map((name) => [name, `value of ${name}`])))).toHaveLength(7);
  });

  it('is any long value that is neither words nor a path', () => {
    const long = 'hK3-9fQ2_xB7pL0z';
    expect(named({ A: long, B: ` ${long}\n`, C: long.slice(1) })).toEqual([long, ` ${long}\n`]);
  });

  it('is no harmless word, no path and no sentence', () => {
    const harmless = {
      NODE_ENV: 'production',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      CHORD_STATE_DIR: '/srv/state/of/production',
      GREETING: 'Good morning, everybody',
      HTTP_PROXY: 'http://proxy.example.com:3128',
    };
    expect(named(harmless)).toEqual([]);
  });
});

describe('the mask of secrets', () => {
  it('masks every value, the longer one first', () => {
    const secrets = new SecretMask(['sesame', 'sesame-open']);
    expect(secrets.mask('sesame-open, sesame, sesam')).toBe('***, ***, sesam');
  });

  it('leaves values alone that are shorter than four characters, for they stand everywhere', () => {
    expect(new SecretMask(['1', 'no', '', 'dev']).mask('1 no dev')).toBe('1 no dev');
  });

  it('takes values as text, not as patterns', () => {
    expect(new SecretMask(['a.c*(']).mask('abc a.c*(')).toBe('abc ***');
    expect(new SecretMask(['a\\d+[b]']).mask('a\\d+[b] a1b')).toBe('*** a1b');
  });

  it('masks a value inside a JSON string, trimmed, and line by line', () => {
    const secrets = new SecretMask(['first-line "x"\nsecond-line\n', '  padded  ']);
    expect(secrets.mask(JSON.stringify('first-line "x"\nsecond-line\n'))).toBe('"***"');
    expect(secrets.mask('> second-line')).toBe('> ***');
    expect(secrets.mask('padded')).toBe('***');
  });

  const odd = 'p&q<"r\\s/é\t日';
  const twice = (text: string) => JSON.stringify(JSON.stringify(text));

  it.each([
    ['in JSON', JSON.stringify(odd)],
    ['in JSON in JSON', twice(odd)],
    ['in JSON three times over', JSON.stringify(twice(odd))],
    ['as Go writes it', JSON.stringify(odd).replace('&', '\\u0026').replace('<', '\\u003C')],
    ['as PHP and Python write it', JSON.stringify(odd).replace('/', '\\/').replace('é', '\\u00e9')],
    [
      'with every character escaped',
      `"${odd.replace(/./gs, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`,
    ],
    ['in an address', `https://user:${encodeURIComponent(odd)}@host`],
  ])('masks a value %s', (_, text) => {
    const masked = new SecretMask([odd]).mask(`before ${text} after`);
    expect(masked).toMatch(/^before [^&u]*(https:\/\/user:)?\*\*\*(@host)?["\\]* after$/);
  });

  it('masks the beginning of a secret where a text was cut', () => {
    const secrets = new SecretMask(['sesame-open']);
    expect(secrets.maskCut('token=sesame-o')).toBe('token=***');
    expect(secrets.maskCut('token=sesame-open')).toBe('token=***');
    expect(secrets.maskCut('token=ses')).toBe('token=ses');
  });

  it('keeps JSON what it is: numbers as they were written, and no half escape', () => {
    const secrets = new SecretMask(['nsesame']);
    expect(secrets.maskJson('{"id": 12345678901234567890, "a":"x\\nsesame nsesame", "nsesame":1.0}')).toBe(
      '{"id": 12345678901234567890, "a":"x\\nsesame ***", "***":1.0}',
    );
    expect(secrets.maskJson('{"broken": nsesame')).toBe('{"broken": ***');
  });

  it('masks in JSON text as long as a line of Chord can be, without falling over it', () => {
    const secrets = new SecretMask(['sesame']);
    const long = (text: string) => JSON.stringify({ a: text.repeat(15_000_000 / text.length), b: 'sesame' });
    for (const text of [long('x'), long('\n'), long('"')]) {
      const masked = secrets.maskJson(text);
      expect(masked.length).toBe(text.length - 'sesame'.length + '***'.length);
      expect(masked.endsWith('"b":"***"}')).toBe(true);
    }
  });

  it('takes secrets out of plain data, names of fields included, however deep', () => {
    const secrets = new SecretMask(['sesame']);
    const data = { a: ['x sesame', 1, null], b: { sesame: true, '***': false }, c: 'none' };
    secrets.maskInPlace(data);
    expect(data).toEqual({ a: ['x ***', 1, null], b: { '***': true, '******': false }, c: 'none' });

    const deep: { in?: unknown } = {};
    let inner = deep;
    for (let level = 0; level < 100_000; level += 1) inner = inner.in = {} as { in?: unknown };
    inner.in = 'sesame';
    secrets.maskInPlace(deep);
    expect(inner.in).toBe('***');
  });

  it('gives data back as it is where nothing is secret', () => {
    const data = { a: 'text' };
    expect(new SecretMask([]).masked(data)).toBe(data);
    expect(new SecretMask(['no']).isEmpty).toBe(true);
  });

  it('leaves none in an error, its stack, its details or its cause; the error stays the very same', () => {
    const cause = Object.assign(new Error('spawn /opt/sesame ENOENT'), {
      path: '/opt/sesame',
      spawnargs: ['-d', 'sesame'],
    });
    const shared = { request: { command: 'echo sesame' } };
    const error = new ChordError('start_failed', 'No sesame', {
      description: 'Give sesame',
      cause,
      sessionKey: 'c1:sesame::/p',
      stderrTail: 'sesame',
      details: shared,
    });
    const secrets = new SecretMask(['sesame']);
    expect(secrets.maskError(error)).toBe(error);
    expect(error).toMatchObject({ message: 'No ***', description: 'Give ***' });
    expect(error.facts).toMatchObject({
      sessionKey: 'c1:sesame::/p',
      stderrTail: '***',
      details: { request: { command: 'echo ***' } },
    });
    expect(error.stack).not.toContain('No sesame');
    expect(cause).toMatchObject({
      message: 'spawn /opt/*** ENOENT',
      path: '/opt/***',
      spawnargs: ['-d', '***'],
    });
    expect(shared.request.command).toBe('echo sesame');
  });

  it('looks at each character of a long text a bounded number of times', () => {
    const secrets = new SecretMask([`${'\\'.repeat(5)}"${'\\'.repeat(5)}"x`, 'aaaa\\"aaab']);
    // Backslashes without end are what a search could go astray in: one that is not linear takes hours for this.
    for (const text of ['\\'.repeat(500_000), 'aaaa\\"'.repeat(100_000), 'a'.repeat(1_000_000)]) {
      expect(secrets.mask(text) === text).toBe(true);
    }
  });
});
