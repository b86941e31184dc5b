import { until } from '../../support/until';
import { chordOf, startedChord } from '../support/fixture';
import { stderrTailBytes } from '../../../chord/process/StderrTail';

describe('what Chord writes', () => {
  it('B35: keeps text that comes byte by byte, on stdout and on stderr', async () => {
    const text = '审批 ☕ é';
    const { seen } = await startedChord('byte-by-byte.mjs', { commandArguments: [text] });
    await expect(seen.seen('assistant_message')).resolves.toMatchObject({ payload: { text } });
    await expect(seen.exited()).resolves.toMatchObject({ exitCode: 3, stderrTail: text });
    expect(seen.problems).toEqual([]);
  });

  it('B36: keeps U+2028 and U+2029, which are legal in JSON', async () => {
    const { seen } = await startedChord('line-separators.mjs');
    await expect(seen.seen('confirm_request')).resolves.toMatchObject({ payload: { request_id: 'r1' } });
    await expect(seen.seen('assistant_message')).resolves.toMatchObject({
      payload: { text: 'a\u2028b\u2029c' },
    });
  });

  it('B37: takes a line of 12 MB, drops one of 200 MB, and goes on', async () => {
    const { seen } = await startedChord('long-lines.mjs');
    const requests = () => seen.envelopes.filter(({ type }) => type === 'confirm_request');
    await seen.seen('confirm_request');
    const message = await seen.seen('assistant_message');
    expect((message.payload?.text as string).length).toBe(12_000_000);
    await until(() => requests().length === 2);
    expect(requests().map(({ payload }) => payload?.request_id)).toEqual(['r1', 'r2']);
    expect(seen.problems).toEqual([{ reason: 'line_too_long', sample: 'x'.repeat(200), bytes: 200_000_000 }]);
  });

  it('B39: reads over noise', async () => {
    const { seen } = await startedChord('noisy.mjs');
    await expect(seen.seen('confirm_request')).resolves.toMatchObject({ payload: { request_id: 'r1' } });
    expect(seen.envelopes.map(({ type }) => type)).toEqual(['ready', 'crlf', 'confirm_request']);
    expect(seen.problems.map(({ sample }) => sample)).toEqual([
      '*** Welcome ***',
      'null',
      '[1]',
      '"x"',
      '{"payload":{}}',
      '{"type":5}',
    ]);
  });

  it('B40: always reads stderr, and keeps its end', async () => {
    const { seen } = await startedChord('loud-stderr.mjs');
    const report = await seen.exited();
    expect(seen.envelopes.map(({ type }) => type)).toEqual(['ready', 'first', 'second']);
    expect(report).toMatchObject({ exitCode: 4, signal: null, expected: false });
    expect(report.stderrTail.endsWith('the last word\n')).toBe(true);
    expect(Buffer.byteLength(report.stderrTail)).toBe(stderrTailBytes);
  });

  it('takes the last envelope though its newline is missing, before it tells the end', async () => {
    const { chord, seen } = chordOf('last-line-unfinished.mjs');
    const order: string[] = [];
    await chord.start({
      envelope: ({ type }) => void order.push(type),
      problem: ({ reason }) => void order.push(reason),
      exit: (report) => {
        order.push('exit');
        seen.exit(report);
      },
    });
    await expect(seen.exited()).resolves.toMatchObject({ exitCode: 0, expected: false });
    expect(order).toEqual(['ready', 'idle', 'exit']);
  });
});
