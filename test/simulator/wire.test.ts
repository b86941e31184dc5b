import { trimGo } from '../../simulator/agent/slashText';
import { goDuration } from '../../simulator/model/duration';
import { LineCutter, STDIN_LIMIT } from '../../simulator/process/lines';
import { parseCommand } from '../../simulator/wire/command';
import { encode } from '../../simulator/wire/json';
import { profileNamed } from '../../simulator/wire/profile';

describe('a stdin line as Go reads it', () => {
  it.each([
    ['not json', undefined],
    ['[]', undefined],
    ['"x"', undefined],
    ['{"type":5}', undefined],
    ['{"type":"send","answers":["a",1]}', undefined],
    ['null', { type: '' }],
    ['{"type":"send","content":null,"other":1}', { type: 'send', content: '' }],
    ['{"TYPE":"send","Request_ID":"x"}', { type: 'send', request_id: 'x' }],
    ['{"type":"subscribe","events":[]}', { events: [] }],
    ['{"type":"subscribe"}', { events: null }],
  ])('%s', (line, command) => {
    const parsed = parseCommand(line);
    if (command === undefined) expect(parsed).toBeUndefined();
    else expect(parsed).toMatchObject(command);
  });
});

describe('JSON as Go writes it', () => {
  it('escapes what could end a script or a line', () => {
    expect(encode({ a: '<b> & \u2028\u2029 é ☕' })).toBe(
      '{"a":"\\u003cb\\u003e \\u0026 \\u2028\\u2029 é ☕"}',
    );
  });
});

describe('blanks as Go sees them', () => {
  it.each([
    ['\u0085/new\u00a0', '/new'],
    ['\u3000 x \n', 'x'],
    ['\ufeff/new', '\ufeff/new'],
  ])('%j', (text, trimmed) => expect(trimGo(text)).toBe(trimmed));
});

describe('durations as Go prints them', () => {
  it.each([
    [1, '1s'],
    [60, '1m0s'],
    [3661, '1h1m1s'],
  ])('%i seconds', (seconds, text) => expect(goDuration(seconds)).toBe(text));
});

describe('stdin', () => {
  const cut = (...chunks: Buffer[]) => {
    const seen: string[] = [];
    const cutter = new LineCutter(
      (line) => seen.push(line),
      (limit) => seen.push(`over ${limit}`),
    );
    for (const chunk of chunks) cutter.push(chunk);
    cutter.end();
    return seen;
  };

  it('is cut at line feeds only, wherever the chunks end', () => {
    const text = Buffer.from('é☕\u2028x\r\n\nlast');
    expect(cut(...Array.from(text, (byte) => Buffer.from([byte])))).toEqual(['é☕\u2028x', '', 'last']);
  });

  it('K7: loses a line that is too long, and only that', () => {
    const long = Buffer.alloc(STDIN_LIMIT, 'x');
    expect(cut(long, long, Buffer.from('\nnext\n'))).toEqual([`over ${STDIN_LIMIT}`, 'next']);
  });
});

describe('profiles', () => {
  it('are d2 unless named', () => {
    expect(profileNamed(undefined).name).toBe('d2');
    expect(profileNamed('').name).toBe('d2');
    expect(profileNamed('d3').name).toBe('d3');
    expect(() => profileNamed('d9')).toThrow('unknown profile "d9"');
  });
});
