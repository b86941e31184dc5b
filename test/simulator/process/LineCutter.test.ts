import { LineCutter, STDIN_LIMIT } from '../../../simulator/process/LineCutter';

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
