import type { Command } from '../../../chord/protocol/commands';
import { until } from '../../support/until';
import { FakeClock } from '../../support/FakeClock';
import { chordOf, startedChord } from '../support/fixture';

const send = (content: string, request_id = 'q'): Command => ({ type: 'send', content, request_id });

/** A send whose line, newline included, has this many bytes. */
function sendOfBytes(bytes: number, character = 'x'): Command {
  const size = bytes - (JSON.stringify(send('')).length + 1);
  const width = Buffer.byteLength(character);
  return send(character.repeat(Math.floor(size / width)) + 'x'.repeat(size % width));
}

describe('what is written to Chord', () => {
  it('B77: takes lines of up to 1 MiB, counted in bytes of UTF-8 with the newline', async () => {
    const { chord, seen } = await startedChord('echoes.mjs');
    for (const character of ['x', '☕']) {
      await chord.write(sendOfBytes(1_048_576, character));
      await until(() => seen.envelopes.filter(({ type }) => type === 'echo').length === 1);
      expect(seen.envelopes.pop()?.payload).toMatchObject({ bytes: 1_048_576 });
      await expect(chord.write(sendOfBytes(1_048_577, character))).rejects.toMatchObject({
        code: 'message_too_long',
        message:
          'The send command is 1048577 bytes long; Chord reads lines of at most 1048576 bytes (1 MiB).',
      });
    }
    await chord.write({ type: 'status' });
    await expect(seen.seen('echo')).resolves.toMatchObject({ payload: { type: 'status' } });
  });

  it('keeps the order of lines that are written at once, and waits until the pipe has taken each', async () => {
    const { chord, seen } = await startedChord('reads-late.mjs');
    const names = Array.from({ length: 12 }, (_, at) => `q${at}`);
    let taken = 0;
    const writes = names.map((name) => chord.write(send('x'.repeat(100_000), name)).then(() => (taken += 1)));
    // As long as nobody reads, the system takes some hundred kilobytes and no more.
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBeLessThan(6);
    process.kill(chord.pid!, 'SIGUSR2');
    await Promise.all(writes);
    const echoes = () => seen.envelopes.filter(({ type }) => type === 'echo');
    await until(() => echoes().length === names.length);
    const ends = echoes().map(({ payload }) => JSON.stringify(payload));
    names.forEach((name, at) => expect(ends[at]).toContain(`\\"${name}\\"`));
  });

  it('B46: rejects with exit code and stderr when Chord has ended', async () => {
    const { chord, seen } = await startedChord('exits-on-first-line.mjs', {
      commandArguments: ['3', 'no api key'],
    });
    await chord.write({ type: 'status' });
    await expect(seen.exited()).resolves.toEqual({
      exitCode: 3,
      signal: null,
      stderrTail: 'no api key\n',
      expected: false,
    });
    await expect(chord.write({ type: 'status' })).rejects.toMatchObject({
      code: 'process_exited',
      message: 'Chord ended with exit code 3: no api key',
      facts: { exitCode: 3, stderrTail: 'no api key\n' },
    });
  });

  it('B41: rejects eight long lines that are written to a Chord that ends, and the host lives', async () => {
    const { chord } = await startedChord('exits-after-ready.mjs', { commandArguments: ['7', 'bye'] });
    const lines = Array.from({ length: 8 }, () => chord.write(sendOfBytes(1_000_000)));
    const results = await Promise.allSettled(lines);
    expect(results).toHaveLength(8);
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'process_exited', facts: { exitCode: 7, stderrTail: 'bye\n' } },
      });
    }
    const { chord: next, seen } = await startedChord('echoes.mjs');
    await next.write(send('hello'));
    await expect(seen.seen('echo')).resolves.toMatchObject({ payload: { type: 'send' } });
  });

  it('B41: ends a Chord that reads no more, and says so', async () => {
    const clock = new FakeClock();
    const { chord, seen } = await startedChord('closes-stdin.mjs', {}, { clock });
    const failure = chord.write(send('hello')).catch((error: unknown) => error);
    await until(() => clock.pending > 0);
    await clock.advance(2000);
    await expect(failure).resolves.toMatchObject({
      code: 'write_failed',
      message: 'The send command could not be sent: Chord stopped reading.',
    });
    expect(seen.exits).toMatchObject([{ signal: 'SIGTERM', expected: false }]);
  });

  it('writes nothing before ready, while it is stopped, and afterwards', async () => {
    const early = chordOf('silent.mjs');
    await expect(early.chord.write({ type: 'status' })).rejects.toMatchObject({
      code: 'process_exited',
      message: 'Chord is not running.',
    });
    const { chord, seen } = await startedChord('echoes.mjs');
    const stopped = chord.stop();
    await expect(chord.write({ type: 'status' })).rejects.toMatchObject({
      code: 'process_exited',
      message: 'Chord is being stopped.',
    });
    await stopped;
    await expect(chord.write({ type: 'status' })).rejects.toMatchObject({
      code: 'process_exited',
      message: 'Chord ended with exit code 0.',
    });
    expect(seen.exits).toMatchObject([{ exitCode: 0, expected: true }]);
  });

  it('refuses what is no command of ours before anything is written', async () => {
    const { chord } = await startedChord('echoes.mjs');
    await expect(chord.write({ type: 'subscribe', events: [] } as unknown as Command)).rejects.toThrow();
  });
});
