import fc from 'fast-check';
import { caption, codeBlock, inHtml, proseBlock } from '../../../chord/session/text/html';
import { hostileCommands, hostileText, unseen } from '../../support/hostile';

const readings = ['code', 'prose'] as const;

/** What a browser makes of text that holds no other elements than ours. */
const decoded = (html: string): string =>
  html
    .replace(/<\/?(?:span|b|pre|div|code)(?: [^<>]*)?>/g, '')
    .replace(/&#x([0-9a-f]+);/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));

/** The character for each number in bold. */
const numbersUndone = (html: string): string =>
  html.replace(/<b>\[U\+([0-9A-F]+)\]<\/b>(?:×(\d+))?/g, (_, hex: string, times?: string) =>
    String.fromCodePoint(parseInt(hex, 16)).repeat(Number(times ?? 1)),
  );

describe('a text in HTML', () => {
  test.each([
    [`<a href="x">'&'</a>`, '&#x3c;a href=&#x22;x&#x22;&#x3e;&#x27;&#x26;&#x27;&#x3c;/a&#x3e;'],
    ['`$$` {{ x }}', '&#x60;&#x24;&#x24;&#x60; &#x7b;&#x7b; x }}'],
    ['a\\nb', 'a<span>&#x5c;</span>nb'],
    ['\u202e\u001b[0m\r.', '<b>[U+202E]</b><b>[U+001B]</b>[0m<b>[U+000D]</b>.'],
    ['a\u200b\u200b\u200b❤\ufe0f\ufe0f', 'a<b>[U+200B]</b>×3❤\ufe0f<b>[U+FE0F]</b>'],
    ['tab\tand\r\nbreak', 'tab\tand\nbreak'],
    ['👩‍👩‍👧‍👦 緑 é', '👩‍👩‍👧‍👦 緑 é'],
  ])('%j', (text, expected) => {
    expect(inHtml(text, 'code')).toBe(expected);
  });

  test.each(readings)('of %s nothing is read, and a browser shows it as it is', (reading) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const html = inHtml(text, reading);
        const bare = html.replace(/<\/?(?:span|b)>/g, '');
        expect(bare).not.toMatch(/[<>"'`$\\]|\{\{/);
        expect(bare.replace(/&#x[0-9a-f]+;/g, '')).not.toMatch(/&/);
        expect(decoded(numbersUndone(html))).toBe(text.replaceAll('\r\n', '\n'));
      }),
    );
  });

  test.each(hostileCommands)('every visible character stands in its blocks: %j', (command) => {
    const visible = command.replace(unseen, '');
    for (const block of [codeBlock, proseBlock]) {
      expect(decoded(numbersUndone(block(command))).replace(unseen, '')).toContain(visible);
    }
    expect(decoded(caption('a<b'))).toBe('a<b');
  });

  test('a block keeps the line break it begins with, which a browser leaves out', () => {
    expect(codeBlock('\nx')).toMatch(/>\n\nx<\/pre>$/);
    expect(codeBlock('x')).toMatch(/>x<\/pre>$/);
  });

  test('a block whose lines are too wide for a page without styles breaks them', () => {
    for (const narrow of ['x'.repeat(55), '緑'.repeat(27), 'x\n'.repeat(100)]) {
      expect(codeBlock(narrow)).toMatch(/^<pre /);
    }
    for (const wide of ['x'.repeat(56), '緑'.repeat(28), `ls${' '.repeat(2600)}; x`, 'a\u202eb']) {
      expect(codeBlock(wide)).toMatch(/^<div [^>]*><div><code>.*<\/code><\/div><\/div>$/);
    }
    expect(codeBlock(`a\n\n${'x'.repeat(60)}`)).toMatch(
      /<div><code>a<\/code><\/div><div>&#xa0;<\/div><div><code>x+<\/code><\/div><\/div>$/,
    );
  });

  test('each line of prose is an element of its own', () => {
    expect(proseBlock('a\n\nb')).toMatch(/<div>a<\/div><div>&#xa0;<\/div><div>b<\/div><\/div>$/);
  });
});
