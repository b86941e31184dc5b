const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const either = (sources: readonly string[]): RegExp =>
  // Without a secret it matches nothing.
  sources.length > 0 ? new RegExp(sources.join('|'), 'g') : /(?!)/g;

/** Finds these texts as they are; of several at one place the first. */
export const plainPattern = (texts: readonly string[]): RegExp => either(texts.map(quoted));

/** Backslashes that one level of JSON, or JSON inside JSON twice over, puts before a character. Bounded: each search
 * stays linear, whatever runs of backslashes a text holds. */
const escape = '\\\\{1,8}';

const maybeEscape = '\\\\{0,8}';

/** `\u0041` with either case of its hexadecimal letters. */
const codePoint = (character: string): string =>
  `u${character
    .charCodeAt(0)
    .toString(16)
    .padStart(4, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;

const shortEscapes: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
};

/** One character as it may stand inside of JSON. */
function escapedCharacter(character: string): string {
  const raw = quoted(character);
  const short = shortEscapes[character];
  if (short !== undefined) return `(?:${raw}|${escape}(?:${short}|${codePoint(character)}))`;
  const before = /["'/]/.test(character) ? maybeEscape : '';
  return `(?:${before}${raw}|${escape}${codePoint(character)})`;
}

/** Backslashes of the text itself, each of which JSON doubles at every level, and those that escape what follows. */
const backslashes = (count: number): string =>
  `(?:\\\\{${count},${8 * count + 8}}|(?:${escape}${codePoint('\\')}){${count}})`;

function escapedText(text: string): string {
  let source = '';
  for (const part of text.match(/\\+|[^\\]/gs) ?? []) {
    source += part.startsWith('\\') ? backslashes(part.length) : escapedCharacter(part);
  }
  return source;
}

/**
 * Finds these texts also where JSON has escaped them, once or several times, wholly or in part: Go writes `&` as
 * `\u0026`, a command that holds JSON doubles every quote.
 */
export const escapedPattern = (texts: readonly string[]): RegExp => either(texts.map(escapedText));
