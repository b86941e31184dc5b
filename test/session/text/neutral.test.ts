import fc from 'fast-check';
import { fenced, neutral, paragraphs } from '../../../chord/session/text/neutral';
import { hostileText } from '../../support/hostile';

const readings = ['code', 'prose'] as const;

/** Puts the character for each escape. */
const undone = (text: string): string =>
  text.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));

/** What a browser, a messenger or n8n would read as more than itself. */
const read = /<[A-Za-z/!?@#]|&(?:#\d|#x[\da-f]|lt\b|amp\b|copy|[a-z]{2,9};)|\\n|\r(?!\n)/i;

/** What reorders or hides, but for what makes part of an emoji or joins letters. */
const hides =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\p{Cs}]/u;

describe('a markup-neutral text', () => {
  test.each([
    'a && b < c',
    'x <= 3 && y >> 2; echo "$HOME" `id` *.ts [a-z]* | wc -l > out.txt 2>&1',
    "C:\\temp\\data 'it''s' 100% #1 @me a&b; {a,b} ${x} {{.Names}}",
    '你好，世界 ☕ 👩‍👩‍👧‍👦 🇩🇪 ❤️ 1️⃣ 👍🏽 é',
    'می‌خواهم क्‍ष',
    'line one\n\tline two\r\nline three',
  ])('leaves ordinary text as it is: %s', (text) => {
    expect(neutral.code(text)).toBe(text);
    expect(neutral.prose(text)).toBe(text);
  });

  test.each([
    ['<b>x</b>', '\\u{3c}b>x\\u{3c}/b>'],
    ['<!-- <?x <@U1> <#C1> <1', '\\u{3c}!-- \\u{3c}?x \\u{3c}@U1> \\u{3c}#C1> <1'],
    ['&lt; &#60; &#x3c; &copy=1 & &&', '\\u{26}lt; \\u{26}#60; \\u{26}#x3c; \\u{26}copy=1 & &&'],
    ['a\\nb \\u{41} \\t \\\\n', 'a\\u{5c}nb \\u{5c}u{41} \\t \\\\u{5c}n'],
    ['a\u202eb\u001b[1m\u200b', 'a\\u{202e}b\\u{1b}[1m\\u{200b}'],
    ['a\rb', 'a\\u{d}b'],
    ['a\u200db \ufe0f', 'a\\u{200d}b \\u{fe0f}'],
    ['\ud83c!', '\\u{d83c}!'],
  ])('%j', (text, expected) => {
    expect(neutral.code(text)).toBe(expected);
  });

  test('a blank that is none is shown in what runs, and is typography in what is read', () => {
    expect(neutral.code('rm -rf\u00a0/')).toBe('rm -rf\\u{a0}/');
    expect(neutral.prose('10\u202f000\u00a0€')).toBe('10\u202f000\u00a0€');
  });

  test.each(readings)(
    'of %s nothing is read, nothing is hidden, and all of it can be had back',
    (reading) => {
      fc.assert(
        fc.property(hostileText, (text) => {
          const shown = neutral[reading](text);
          expect(shown).not.toMatch(read);
          expect(shown.replace(/[\t\n]|\r\n/g, '')).not.toMatch(hides);
          expect(undone(shown)).toBe(text);
        }),
      );
    },
  );
});

describe('in a messenger', () => {
  test('no back-tick ends a block', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(fenced(text)).not.toMatch(/`/);
        expect(fenced(text)).not.toMatch(read);
        expect(undone(fenced(text))).toBe(text);
      }),
    );
  });

  test('paragraphs hold no markup', () => {
    expect(paragraphs('# A_b *c* [d](e) `f` ||g||\n> h - i # j')).toBe(
      '\\u{23} A\\u{5f}b \\u{2a}c\\u{2a} \\u{5b}d](e) \\u{60}f\\u{60} \\u{7c}|g\\u{7c}|\n\\u{3e} h - i # j',
    );
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = paragraphs(text);
        expect(shown).not.toMatch(/[*_~`[]|\|\||^[ \t]*[#>]/m);
        expect(shown).not.toMatch(read);
        expect(undone(shown)).toBe(text);
      }),
    );
  });
});
