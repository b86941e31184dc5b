import fc from 'fast-check';
import { chatMessage, cut, messageLength, summaryLength, summaryLine } from '../../chord/session/cut';

const graphemes = (text: string): string[] =>
  Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  );

/** Characters that are made of several units, whole and in parts. */
const piece = fc.constantFrom(
  'a',
  ' ',
  '\r\n',
  'e\u0301',
  '🇩🇪',
  '🇩',
  '👨‍👩‍👧‍👦',
  '🍵',
  '緑',
  '\u200d',
  '\ud83c',
  'क्षि',
  '👍🏽',
);

describe('cutting texts', () => {
  it('leaves a text alone that fits', () => {
    expect(cut('Tea is ready.', 13)).toBe('Tea is ready.');
  });

  it('keeps as many whole characters as fit, and marks the cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (pieces, length) => {
        const text = pieces.join('');
        fc.pre(text.length > length);
        let kept = '';
        for (const grapheme of graphemes(text.slice(0, length + 32))) {
          if (kept.length + grapheme.length > length - 1) break;
          kept += grapheme;
        }
        expect(cut(text, length)).toBe(`${kept}…`);
      }),
    );
  });

  it('makes one line of a summary, and a chat message of a long text', () => {
    expect(summaryLine('  The tests\n\tpass. ')).toBe('The tests pass.');
    expect(summaryLine('word '.repeat(1000))).toHaveLength(summaryLength);
    expect(chatMessage('x'.repeat(100_000))).toHaveLength(messageLength);
  });
});
