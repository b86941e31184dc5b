import { SecretMask, secretValues } from '../../chord/process';

describe('the mask of secrets', () => {
  it('masks every value, the longer one first', () => {
    const secrets = new SecretMask(['sesame', 'sesame-open']);
    expect(secrets.mask('sesame-open, sesame, sesam')).toBe('***, ***, sesam');
  });

  it('leaves values alone that are shorter than four characters, for they stand everywhere', () => {
    expect(new SecretMask(['1', 'no', '', 'dev']).mask('1 no dev')).toBe('1 no dev');
  });

  it('leaves the ways of the machine readable, and nothing else', () => {
    const names = 'PATH Path HOME LANG LC_ALL XDG_STATE_HOME HTTP_PROXY CHORD_API_KEY HOMEPAGE'.split(' ');
    expect(secretValues(names.map((name) => ({ name, value: name })))).toEqual([
      'HTTP_PROXY',
      'CHORD_API_KEY',
      'HOMEPAGE',
    ]);
  });

  it('takes values as text, not as patterns', () => {
    expect(new SecretMask(['a.c*(']).mask('abc a.c*(')).toBe('abc ***');
  });

  it('masks a value inside a JSON string, trimmed, and line by line', () => {
    const secrets = new SecretMask(['first-line "x"\nsecond-line\n', '  padded  ']);
    expect(secrets.mask(JSON.stringify('first-line "x"\nsecond-line\n'))).toBe('"***"');
    expect(secrets.mask('> second-line')).toBe('> ***');
    expect(secrets.mask('padded')).toBe('***');
  });

  it('masks the beginning of a secret where a text was cut', () => {
    const secrets = new SecretMask(['sesame-open']);
    expect(secrets.maskCut('token=sesame-o')).toBe('token=***');
    expect(secrets.maskCut('token=sesame-open')).toBe('token=***');
    expect(secrets.maskCut('token=ses')).toBe('token=ses');
  });
});
