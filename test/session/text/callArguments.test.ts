import fc from 'fast-check';
import { callArguments, mainArgument } from '../../../chord/session/text/callArguments';

const subject = (json: string): string => mainArgument(callArguments(json));

describe('the arguments of a call, as Chord wrote them', () => {
  test('numbers keep their digits, and names that come twice are both shown', () => {
    expect(callArguments('{"id":9007199254740993, "x":1e400,"x":[12345678901234567890]}')).toEqual([
      { name: 'id', value: '9007199254740993' },
      { name: 'x', value: '1e400' },
      { name: 'x', value: '[12345678901234567890]' },
    ]);
  });

  test('strings are what they mean', () => {
    expect(callArguments(String.raw`{"a\"b":"c\\\"d\n\\"}`)).toEqual([{ name: 'a"b', value: 'c\\"d\n\\' }]);
  });

  test('deep ones end', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(callArguments(`{"a":${deep}}`)).toEqual([{ name: 'a', value: deep }]);
  });

  test.each(['rm -rf', '{"command":', '[1]', '12', ''])('what is no object is shown as it is: %j', (json) => {
    expect(callArguments(json)).toBe(json);
  });

  test('any object comes back whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
        const parts = callArguments(JSON.stringify(object, null, indent)) as {
          name: string;
          value: string;
        }[];
        expect(parts).toEqual(
          Object.entries(object).map(([name, value]) => ({
            name,
            value: typeof value === 'string' ? value : expect.any(String),
          })),
        );
        for (const { name, value } of parts) {
          if (typeof object[name] !== 'string')
            expect(JSON.parse(value)).toEqual(JSON.parse(JSON.stringify(object[name])));
        }
      }),
    );
  });
});

describe('what a call acts on', () => {
  test.each([
    ['{"description":"d","command":"ls"}', 'ls'],
    ['{"pattern":"*.ts","path":"src"}', 'src'],
    ['{"pattern":"*.ts"}', '*.ts'],
    ['{"paths":["a","b"]}', '["a","b"]'],
    ['{"other":12}', '12'],
    ['{}', ''],
    ['rm -rf', 'rm -rf'],
    // Go's decoder takes the last one, whatever the case.
    ['{"command":"ls","command":"rm -rf /"}', 'rm -rf /'],
    ['{"command":"ls","COMMAND":"rm -rf /"}', 'rm -rf /'],
  ])('%s', (json, expected) => {
    expect(subject(json)).toBe(expected);
  });
});
