import { codePoint, invisible, isInPlace, type Reading } from './invisible';

/** A character that nobody sees, as a person who reads the text can tell it from the text: bold, with its number. */
const shown = (character: string): string =>
  `<b>[U+${codePoint(character).toUpperCase().padStart(4, '0')}]</b>`;

/**
 * What stands for each character that some reader takes for more than itself; the ampersand comes first, since the
 * others bring some. Entities are hexadecimal because n8n's e-mail and form steps turn the named ones and `&#39;` back
 * (measured). The backslash stands in an element of its own: n8n makes a line break of a backslash and an n, and its
 * Form page decodes entities before that. Two braces begin an expression of n8n, which HTML need never hold.
 *
 * Each is replaced by {@link replaced}, since the rarest text is the one that is made to be slow.
 */
const safe: readonly (readonly [string, string])[] = [
  ['&', '&#x26;'],
  ['<', '&#x3c;'],
  ['>', '&#x3e;'],
  ['"', '&#x22;'],
  ["'", '&#x27;'],
  ['`', '&#x60;'],
  ['$', '&#x24;'],
  ['{', '&#x7b;'],
  ['\\', '<span>&#x5c;</span>'],
  // A browser takes both for a line break; one alone makes a terminal write over the line.
  ['\r\n', '\n'],
  ['\r', shown('\r')],
];

/**
 * Puts one text for another, everywhere. For 16 MB of one character that takes half a second, with an expression and a
 * function four seconds or more (measured).
 */
const replaced = (text: string, from: string, to: string): string =>
  text.includes(from) ? text.split(from).join(to) : text;

/** A character that nobody sees, and its repetitions: shown one by one, 2,600 of them would push away what follows. */
const hidden: Readonly<Record<Reading, RegExp>> = {
  code: new RegExp(String.raw`(${invisible.code})\1{0,999}`, 'gv'),
  prose: new RegExp(String.raw`(${invisible.prose})\1{0,999}`, 'gv'),
};

/** A text in HTML: decoded by a browser it is itself again, but for what nobody sees, which is shown by its number. */
export const inHtml = (text: string, reading: Reading): string =>
  safe
    .reduce((html, [character, replacement]) => replaced(html, character, replacement), text)
    .replace(hidden[reading], (run: string, one: string, at: number, html: string) => {
      const kept = isInPlace(html, at, one) ? one : '';
      const times = (run.length - kept.length) / one.length;
      return kept + (times > 0 ? shown(one) : '') + (times > 1 ? `×${times}` : '');
    });

// Mail programs know no style sheets; n8n's Form page leaves out even these, so that the elements alone must do.
const codeStyle =
  'margin:8px 0;padding:12px;background:#f6f8fa;border:1px solid #d0d7de;border-radius:6px;color:#1f2328;' +
  'font-family:ui-monospace,Consolas,Menlo,monospace;font-size:13px;line-height:1.5;text-align:left;' +
  'white-space:pre-wrap;overflow-wrap:anywhere';
const proseStyle =
  'margin:8px 0;color:#1f2328;line-height:1.5;text-align:left;white-space:pre-wrap;overflow-wrap:anywhere';

/** Lines as elements of their own, so that they stay apart where styles are left out. */
const lineByLine = (html: string, before: string, after: string): string =>
  replaced(
    `<div>${before}${replaced(html, '\n', `${after}</div><div>${before}`)}${after}</div>`,
    // An empty line has no height without a character in it.
    `<div>${before}${after}</div>`,
    '<div>&#xa0;</div>',
  );

/** A line that n8n's Form page, which leaves out styles, shows without breaking it: characters of ASCII, or of any script. */
const tooWide = /[^\n]{56}|[^\n]{27}[^\0-\u{2FF}]|[^\0-\u{2FF}][^\n]{27}/u;

/**
 * A command or the content of a file, as it is. Without styles the lines of a `<pre>` go on beyond the edge of the
 * page, where nobody looks: 2,600 blanks would hide what follows. So one with wide lines has none.
 */
export function codeBlock(code: string): string {
  const html = inHtml(code, 'code');
  if (tooWide.test(code) || html.includes('<b>')) {
    return `<div dir="ltr" style="${codeStyle}">${lineByLine(html, '<code>', '</code>')}</div>`;
  }
  // A browser leaves out a line break that follows the tag.
  return `<pre dir="ltr" style="${codeStyle}">${html.startsWith('\n') ? '\n' : ''}${html}</pre>`;
}

/** Words for a person. */
export const proseBlock = (prose: string): string =>
  `<div dir="auto" style="${proseStyle}">${lineByLine(inHtml(prose, 'prose'), '', '')}</div>`;

/** The name of what stands below it. */
export const caption = (name: string): string =>
  `<div style="margin:8px 0 0;text-align:left"><b>${inHtml(name, 'code')}</b></div>`;
