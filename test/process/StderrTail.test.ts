import { SecretMask } from '../../chord/process';
import { StderrTail, stderrTailBytes } from '../../chord/process/StderrTail';

const tailOf = (secrets: string[], ...chunks: (string | Buffer)[]): StderrTail => {
  const tail = new StderrTail(new SecretMask(secrets));
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail;
};

describe('the tail of stderr', () => {
  it('B35: keeps characters that are cut by the border of a chunk', () => {
    const text = '审批 ☕ é 🙂';
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(tailOf([], ...bytes).text()).toBe(text);
  });

  it('B40: keeps the last 64 KiB and no more, cut between characters', () => {
    const tail = tailOf([], ...Array.from({ length: 100 }, (_, at) => `${at} ${'☕'.repeat(5000)}\n`), 'end');
    expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(stderrTailBytes);
    expect(Buffer.byteLength(tail.text())).toBeGreaterThan(stderrTailBytes - 4);
    expect(tail.text()).not.toContain('\uFFFD');
    expect(tail.text().endsWith('\nend')).toBe(true);
  });

  it('masks a secret that comes in pieces', () => {
    const tail = tailOf(['sesame-open'], 'login sesa', 'me-', 'open failed\nse', 'same again');
    expect(tail.text()).toBe('login *** failed\nsesame again');
  });

  it('masks the longer of two secrets even where the shorter one comes first', () => {
    expect(tailOf(['sesame', 'sesame-open'], 'x sesame', '-open y').text()).toBe('x *** y');
  });

  it('never shows half a secret at the place where it was cut off', () => {
    const secret = 'abcdefghij'.repeat(20);
    const text = `${secret}\n`.repeat(3000);
    for (const size of [997, 1000, 4093]) {
      const tail = new StderrTail(new SecretMask([secret]));
      for (let at = 0; at < text.length; at += size) tail.push(Buffer.from(text.slice(at, at + size)));
      expect(tail.text()).not.toMatch(/[a-j]/);
    }
  });

  it('shows the last line that is not blank', () => {
    expect(tailOf([], 'first\nlast words \n\n').lastLine()).toBe('last words');
    expect(tailOf([]).lastLine()).toBe('');
  });
});
