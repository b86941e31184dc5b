import fc from 'fast-check';
import { LineDecoder } from '../../chord/process/LineDecoder';
import type { ProtocolProblem } from '../../chord/process';
import type { Envelope } from '../../chord/protocol/envelopes';

function decode(chunks: Iterable<Buffer>, limit?: number) {
  const envelopes: Envelope[] = [];
  const problems: ProtocolProblem[] = [];
  const decoder = new LineDecoder(
    {
      envelope: (envelope) => void envelopes.push(envelope),
      problem: (problem) => void problems.push(problem),
    },
    limit,
  );
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return { envelopes, problems };
}

/** Cuts bytes into chunks of these sizes, again and again. */
function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

const texts = [
  '审批 ☕ é 🙂',
  'a\u2028b\u2029c\u0085d',
  'plain '.repeat(300),
  '審批 '.repeat(400),
  'quote " slash \\ nul \0',
];

describe('the line decoder', () => {
  it('B35: gives the same envelopes however the bytes are cut', () => {
    const sent = texts.map((text, seq) => ({ type: 'assistant_message', seq, payload: { text } }));
    const bytes = Buffer.from(sent.map(lineOf).join(''));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        expect(decode(cut(bytes, sizes))).toEqual({ envelopes: sent, problems: [] });
      }),
      { numRuns: 60 },
    );
    expect(decode(cut(bytes, [1]))).toEqual({ envelopes: sent, problems: [] });
  });

  it('B36: does not end a line at U+2028, U+2029 or U+0085', () => {
    const raw = Buffer.from('{"type":"a","payload":{"text":"x\u2028y\u2029z\u0085"}}\n{"type":"b"}\n');
    expect(decode([raw]).envelopes).toEqual([
      { type: 'a', payload: { text: 'x\u2028y\u2029z\u0085' } },
      { type: 'b' },
    ]);
  });

  it('B39: reads over a byte order mark, CRLF and blank lines, and tells each line that is no envelope', () => {
    const bom = '\uFEFF';
    const lines = [`${bom}{"type":"ready"}`, 'banner', '', ' \t', '{"type":"crlf"}\r', '\r', 'null', '[1]'];
    const more = ['"x"', '{"payload":{}}', '{"type":5}', '{"type":"last"}'];
    const { envelopes, problems } = decode([Buffer.from([...lines, ...more].join('\n') + '\n')]);
    expect(envelopes.map(({ type }) => type)).toEqual(['ready', 'crlf', 'last']);
    expect(problems).toEqual([
      { reason: 'not_json', sample: 'banner', bytes: 6 },
      { reason: 'not_an_envelope', sample: 'null', bytes: 4 },
      { reason: 'not_an_envelope', sample: '[1]', bytes: 3 },
      { reason: 'not_an_envelope', sample: '"x"', bytes: 3 },
      { reason: 'not_an_envelope', sample: '{"payload":{}}', bytes: 14 },
      { reason: 'not_an_envelope', sample: '{"type":5}', bytes: 10 },
    ]);
  });

  it('takes a byte order mark off a long line as off a short one', () => {
    const text = '审'.repeat(1000);
    const { envelopes } = decode([Buffer.from(`\uFEFF${lineOf({ type: 'a', payload: { text } })}`)]);
    expect(envelopes).toEqual([{ type: 'a', payload: { text } }]);
  });

  it('passes unknown types and fields through untouched', () => {
    const sent = { type: 'brand_new', seq: 3, payload: { deep: { list: [1, null] } }, extra: 'kept' };
    expect(decode([Buffer.from(lineOf(sent))]).envelopes).toEqual([sent]);
  });

  it('reads odd seq and payload as the schema does, and keeps the rest', () => {
    const raw = '{"type":"a","seq":"x","payload":[1],"extra":1}\n{"type":"b","payload":null}\n';
    expect(decode([Buffer.from(raw)]).envelopes).toEqual([{ type: 'a', extra: 1 }, { type: 'b' }]);
  });

  it('keeps a line readable whose UTF-8 is broken, short or long', () => {
    for (const length of [10, 2000]) {
      const broken = Buffer.concat([
        Buffer.from(`{"type":"a","payload":{"text":"${'x'.repeat(length)}`),
        Buffer.from([0xff, 0xc3]),
        Buffer.from('"}}\n{"type":"b"}\n'),
      ]);
      const { envelopes, problems } = decode([broken]);
      expect(problems).toEqual([]);
      expect(envelopes).toEqual([
        { type: 'a', payload: { text: `${'x'.repeat(length)}\uFFFD\uFFFD` } },
        { type: 'b' },
      ]);
    }
  });

  it('takes an envelope whose newline is missing at the end of the stream', () => {
    expect(decode([Buffer.from('{"type":"a"}\n{"type":"b"}')]).envelopes.map(({ type }) => type)).toEqual([
      'a',
      'b',
    ]);
  });

  it('tells a line that was cut by the end of the stream', () => {
    expect(decode([Buffer.from('{"type":"a"')]).problems).toEqual([
      { reason: 'not_json', sample: '{"type":"a"', bytes: 11 },
    ]);
  });

  it.each([
    ['in one chunk', [1_000_000]],
    ['in many', [7, 3, 64]],
  ])('B37: tells a line over the limit once, %s, and goes on', (_, sizes) => {
    const lines = ['{"type":"before"}', 'y'.repeat(1000), '{"type":"after"}', 'z'.repeat(2000)];
    const { envelopes, problems } = decode(cut(Buffer.from(lines.join('\n')), sizes), 300);
    expect(envelopes.map(({ type }) => type)).toEqual(['before', 'after']);
    expect(problems).toEqual([
      { reason: 'line_too_long', sample: 'y'.repeat(200), bytes: 1000 },
      { reason: 'line_too_long', sample: 'z'.repeat(200), bytes: 2000 },
    ]);
  });

  it('B37: keeps no more than the limit of a line that never ends', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const held: number[] = [];
    function* endless() {
      for (let count = 0; count < 3200; count += 1) {
        yield chunk;
        if (count % 100 === 0) held.push(process.memoryUsage().arrayBuffers);
      }
    }
    const { problems } = decode(endless());
    expect(problems).toMatchObject([{ reason: 'line_too_long', bytes: 3200 * 64 * 1024 }]);
    // Growing by doubling leaves buffers behind for the collector: less than four times the limit in all.
    expect(Math.max(...held) - (held[0] ?? 0)).toBeLessThan(64 * 1024 * 1024);
  });

  it('takes a line that is exactly as long as the limit', () => {
    const line = lineOf({ type: 'a', payload: { text: 'x'.repeat(200) } });
    const limit = line.length - 1;
    for (const sizes of [[1000], [11]]) {
      expect(decode(cut(Buffer.from(line), sizes), limit).envelopes).toHaveLength(1);
      expect(decode(cut(Buffer.from(line), sizes), limit - 1).problems).toHaveLength(1);
    }
  });

  it('cuts a sample between characters', () => {
    const { problems } = decode([Buffer.from(`${'x'.repeat(199)}🙂 and more\n`)]);
    expect(problems[0]?.sample).toBe('x'.repeat(199));
  });
});
