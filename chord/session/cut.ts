/** Characters of {@link summaryLine}. */
export const summaryLength = 200;

/** Characters of a text that is ready for a chat. */
export const messageLength = 2500;

const mark = '…';

/** Whole characters as a person sees them: a flag or a letter with accents is one. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Latin letters and Chinese characters: between two of these a text may always be cut. */
const isPlain = (unit: number): boolean =>
  (unit >= 0x20 && unit < 0x300) || (unit >= 0x4e00 && unit < 0xa000);

/** No character is longer than this, so that so much of a text shows where one ends. */
const reach = 32;

/** The last place at or before `end` that lies between two characters. */
function boundary(text: string, end: number): number {
  // Most texts need no more than this; what follows costs some microseconds.
  if (isPlain(text.charCodeAt(end - 1)) && isPlain(text.charCodeAt(end))) return end;
  // Only the character there is asked for: going through all of them takes 20 ms for a chat message and seconds for
  // a long text (measured).
  return characters.segment(text.slice(0, end + reach)).containing(end).index;
}

/**
 * The beginning of a text, at most `length` UTF-16 units with the mark, never cut inside a character.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, boundary(text, length - mark.length)) + mark;
}

/** White space runs together. Single spaces, which are the most, stay as they are. */
const oneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim();

/** One plain line: white space runs together, at most {@link summaryLength}. */
export function summaryLine(text: string): string {
  // Where little of it is white space, so much is enough.
  const short = oneLine(text.slice(0, 1.5 * summaryLength));
  if (short.length > summaryLength + reach) return cut(short, summaryLength);
  return cut(oneLine(cut(text, 4 * summaryLength)), summaryLength);
}

/** A text for a chat: at most {@link messageLength}. */
export const chatMessage = (text: string): string => cut(text.trim(), messageLength);
