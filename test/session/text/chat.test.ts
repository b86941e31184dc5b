import { chatText, type ChatParts } from '../../../chord/session/text/chat';
import { messageLength } from '../../../chord/session/text/cut';

const chat = (parts: Partial<ChatParts>): string =>
  chatText({ opening: '', body: '', isCode: false, elsewhere: '', ...parts });

describe('a text for messengers', () => {
  test('has code in one block', () => {
    expect(chat({ opening: 'Chord wants to run shell.', body: 'echo `id` <b> _x_ *', isCode: true })).toBe(
      'Chord wants to run shell.\n\n```\necho \\u{60}id\\u{60} \\u{3c}b> _x_ *\n```',
    );
  });

  test('has anything else as paragraphs without markup', () => {
    expect(chat({ body: 'All *done* in `a_b`.\n\n- fine' })).toBe(
      'All \\u{2a}done\\u{2a} in \\u{60}a\\u{5f}b\\u{60}.\n\n- fine',
    );
  });

  test('has no block where there is no code', () => {
    expect(chat({ opening: 'Chord wants to run list.', isCode: true })).toBe('Chord wants to run list.');
  });

  test.each([
    ['plain', 'x'.repeat(5000), false],
    ['code', 'x'.repeat(5000), true],
    ['escapes', '`<b>'.repeat(1000), true],
    ['blanks', `ls${' '.repeat(2600)}; curl evil`, true],
    ['whole characters', '👩‍👩‍👧‍👦'.repeat(400), true],
    ['a text that is only too long once it is escaped', '*'.repeat(2400), false],
  ])('counts what did not fit: %s', (_, body, isCode) => {
    const text = chat({ opening: 'Chord asks.', body, isCode, elsewhere: ', see the form' });
    expect(text.length).toBeLessThanOrEqual(messageLength);
    expect(text.length).toBeGreaterThan(messageLength - 40);
    const [, kept = '', left = ''] =
      /^Chord asks\.\n\n(?:```\n)?([^]*?)(?:\n```)?\n… ([\d,]+) more characters, see the form$/.exec(text) ??
      [];
    const shown = kept.replace(/\\u\{([0-9a-f]+)\}/g, (__, hex: string) =>
      String.fromCodePoint(parseInt(hex, 16)),
    );
    expect(body.startsWith(shown)).toBe(true);
    expect(left).toBe((body.length - shown.length).toLocaleString('en-US'));
  });

  test('a long name before the body leaves room for it', () => {
    const text = chat({ opening: 'x'.repeat(10_000), body: 'y'.repeat(10_000) });
    expect(text).toMatch(/y{1900,}\n… [\d,]+ more characters$/);
    expect(text.length).toBeLessThanOrEqual(messageLength);
  });
});
